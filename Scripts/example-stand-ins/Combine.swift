// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple documents them; here stands no more than their form.

// What the examples use of Combine. SwiftUI's stand-in hands none of it on: Apple's hands on the
// names, and not their members, where a project wants each member's module imported.

public protocol ObservableObject: AnyObject {}

@propertyWrapper
public struct Published<Value> {
  public var wrappedValue: Value
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}
