// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents them; here stands no more than their form.

public import Combine
public import UIKit

// What the examples use of SwiftUI.

@MainActor
@propertyWrapper
public struct ObservedObject<Object: ObservableObject> {
  public var wrappedValue: Object
  public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }
}

@MainActor
@propertyWrapper
public struct UIApplicationDelegateAdaptor<Delegate: NSObject & UIApplicationDelegate> {
  public var wrappedValue: Delegate { preconditionFailure("a stand-in") }
  public init(_ type: Delegate.Type = Delegate.self) {}
}

public enum ScenePhase: Comparable, Sendable { case background, inactive, active }

public struct EnvironmentValues {
  public var scenePhase: ScenePhase { .active }
}

@MainActor
@propertyWrapper
public struct Environment<Value> {
  public var wrappedValue: Value { preconditionFailure("a stand-in") }
  public init(_ path: KeyPath<EnvironmentValues, Value>) {}
}

@MainActor
public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View { public var body: Never { fatalError("a stand-in") } }

@MainActor
@resultBuilder
public enum ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

public struct EmptyView: View {
  nonisolated public init() {}
  public var body: Never { fatalError("a stand-in") }
}

public struct Text: View {
  public init(_ text: String) {}
  public var body: Never { fatalError("a stand-in") }
}

extension View {
  public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }
}

@MainActor
public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
}

extension Never: Scene {}

@MainActor
@resultBuilder
public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError("a stand-in") }
}

extension Scene {
  public func onChange<Value: Equatable>(
    of value: Value, perform action: @escaping (Value) -> Void
  ) -> some Scene { self }
}

@MainActor
public protocol App {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
  init()
}

extension App {
  public static func main() {}
}
