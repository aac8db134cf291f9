#if canImport(SwiftUI) && canImport(UIKit)
  import CheckoutLifecycle
  import CheckoutSession
  import Combine
  import MerchantClient
  import PaymentModels
  import SQLiteConnection
  import SQLiteDeviceStore
  import SwiftUI
  import URLSessionTransport
  import UIKit

  /// The checkouts of the signed-in user, for the app's screens.
  @MainActor
  final class Checkouts: ObservableObject {
    /// What to show of each checkout.
    @Published private(set) var displays: [CheckoutKey: CheckoutDisplay] = [:]

    let presenter: TillCheckoutPresenter
    private var session: CheckoutSession?

    init() {
      // A release build trusts one https origin; only a debug build may add the sandbox's http.
      presenter = TillCheckoutPresenter(
        trusting: CheckoutOrigin("https://checkout.futa.example", on: .iOS))
    }

    /// Opens the store and starts the work, once. It fails before the first unlock after a restart
    /// and on a full disk; what happens meanwhile waits in the presenter.
    func connect() throws {
      guard session == nil else { return }
      let session = CheckoutSession(
        store: try Self.openStore(),
        backend: MerchantClient(
          baseURL: "https://shop.example", transport: URLSessionTransport(),
          token: { await Account.token() }),
        environment: .app, page: presenter.page)
      self.session = session
      // For the life of the process, not of a view: a closed window ends no payment.
      Task { [presenter] in await presenter.run(session) }
      Task { [weak self] in
        for await update in session.updates { self?.displays[update.key] = update.display }
      }
    }

    /// The payer taps "pay". A second tap, and a tap after a failure, go on with the same checkout.
    func pay(order: OrderID, at provider: ProviderName) async throws -> CheckoutKey? {
      try connect()
      return try await session?.start(
        CheckoutRequest(provider: provider, purchase: .order(order)),
        strategy: PresentationRule.recommended(for: provider, on: .iOS))
    }

    /// The screen that shows the checkout goes for good: the device stops asking, the server goes
    /// on.
    func leave(_ key: CheckoutKey) { presenter.tell(.page(.viewLeft, key)) }

    private static func openStore() throws -> SQLiteDeviceStore {
      let folder = try storeFolder()
      do {
        return try SQLiteDeviceStore(path: folder.appendingPathComponent("checkouts.sqlite").path)
      } catch let error as SQLiteError where error.kind == .damaged {
        // Put aside: the server goes on with its payments, and the next one needs a store.
        let aside = folder.deletingLastPathComponent().appendingPathComponent("CheckoutsDamaged")
        try? FileManager.default.removeItem(at: aside)
        try FileManager.default.moveItem(at: folder, to: aside)
        return try SQLiteDeviceStore(
          path: try storeFolder().appendingPathComponent("checkouts.sqlite").path)
      }
    }

    private static func storeFolder() throws -> URL {
      var folder = try FileManager.default.url(
        for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true
      ).appendingPathComponent("Checkouts", isDirectory: true)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // A restored backup would ask for payments of another device.
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try folder.setResourceValues(values)
      return folder
    }
  }

  @main
  struct ShopApp: App {
    @UIApplicationDelegateAdaptor private var delegate: ShopDelegate
    @Environment(\.scenePhase) private var scenePhase

    var body: some Scene {
      WindowGroup {
        ShopView(checkouts: delegate.checkouts)
          // Both the app's own scheme and universal links come here, cold starts included.
          .onOpenURL { delegate.checkouts.presenter.tell(.link($0)) }
      }
      .onChange(of: scenePhase) { phase in
        switch phase {
        case .active:
          // Without a store nothing is paid, so nothing is lost: the next time tries again.
          try? delegate.checkouts.connect()
          delegate.checkouts.presenter.tell(.becameActive)
        case .background: delegate.checkouts.presenter.tell(.wentToBackground)
        // A call, the app switcher or the system's own question: the payer is still here.
        case .inactive: break
        @unknown default: break
        }
      }
    }
  }

  final class ShopDelegate: NSObject, UIApplicationDelegate {
    let checkouts = Checkouts()

    /// A silent push only wakes; whatever it says, the server is asked.
    func application(
      _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
      guard (try? checkouts.connect()) != nil else { return .failed }
      checkouts.presenter.tell(.pushed)
      // The system gives about 30 s; a read that is not answered by then is made at the next event.
      try? await Task.sleep(for: .seconds(20))
      return .newData
    }
  }

  struct ShopView: View {
    @ObservedObject var checkouts: Checkouts

    var body: some View {
      Text("your screens, with checkouts.displays")
    }
  }

  /// The app's own sign-in.
  enum Account {
    static func token() async -> Secret? { Secret("the signed-in user's token") }
  }
#endif
