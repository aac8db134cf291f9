import CheckoutLifecycle
import CheckoutSession
import KitEnvironment
import PaymentModels
import UIKit
import WebKit

/// One checkout whose page was just put up.
@MainActor
final class Story {
  private(set) static var count = 0

  let name: String
  let key: CheckoutKey
  let presenter: TillCheckoutPresenter
  let server: Server
  private let session: CheckoutSession

  private init(
    _ name: String, _ key: CheckoutKey, _ presenter: TillCheckoutPresenter, _ server: Server,
    _ session: CheckoutSession
  ) {
    self.name = name
    self.key = key
    self.presenter = presenter
    self.server = server
    self.session = session
  }

  static func play(
    _ name: String, _ provider: ProviderName, _ strategy: PresentationStrategy,
    _ tell: (Story) async throws -> Void
  ) async throws {
    StandIn.log = []
    let window = UIWindow(frame: .zero)
    window.rootViewController = UIViewController(nibName: nil, bundle: nil)
    let scene = UIWindowScene()
    scene.keyWindow = window
    UIApplication.shared.connectedScenes = [scene]

    let server = Server()
    let presenter = TillCheckoutPresenter(
      trusting: CheckoutOrigin("https://checkout.example", on: .iOS))
    let session = CheckoutSession(
      store: InMemoryDeviceStore(), backend: server, environment: .app, page: presenter.page)
    let work = Task { await presenter.run(session) }
    let shown = Task {
      for await update in session.updates {
        if case .outcome(let outcome) = update.display, outcome.isProven {
          StandIn.log.append("show")
        }
      }
    }
    presenter.tell(.becameActive)
    let key = try await session.start(
      CheckoutRequest(provider: provider, purchase: .order(Server.order)), strategy: strategy)
    let story = Story(name, key, presenter, server, session)
    try await story.reaches(.presented)
    try await tell(story)
    work.cancel()
    shown.cancel()
    await work.value
    count += 1
  }

  /// Waits for a phase, 10 s at the most.
  func reaches(_ phase: CheckoutState.Phase) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while await session.state(of: key)?.phase != phase {
      expect(.now < deadline, "never reached \(phase)")
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Waits for the end, and for what was shown; an outcome is shown last, and once.
  func ends(_ phase: CheckoutState.Phase, after log: [String]) async throws {
    try await reaches(phase)
    let isSettled = if case .settled = phase { true } else { false }
    let expected = log + (isSettled ? ["show"] : [])
    let deadline = ContinuousClock.now + .seconds(10)
    while StandIn.log.count < expected.count, .now < deadline {
      try await Task.sleep(for: .milliseconds(2))
    }
    expect(StandIn.log == expected, "\(StandIn.log) instead of \(expected)")
  }

  /// The page in the view goes to an address; gives whether it loads.
  func goes(to url: String) async -> Bool {
    guard let view = WKWebView.last, let url = URL(string: url) else { return false }
    let action = WKNavigationAction(URLRequest(url: url), in: WKFrameInfo())
    return await view.navigationDelegate?.webView(view, decidePolicyFor: action) == .allow
  }

  func expect(_ isRight: Bool, _ text: String = "not so", line: Int = #line) {
    guard !isRight else { return }
    print("wrong, in line \(line) of “\(name)”: \(text)")
    exit(1)
  }
}

/// A server that answers at once.
actor Server: MerchantBackend {
  static let order = OrderID("0199bbbb-0000-7000-8000-000000000001")
  static let page = "https://checkout.example/a?b=%20"

  private var status = PaymentStatus.created
  private var version: Int64 = 1

  func set(_ status: PaymentStatus) {
    self.status = status
    version += 1
  }

  private var answer: PaymentAnswer {
    PaymentAnswer(
      payment: CheckoutPayment(
        paymentID: PaymentID("0199cccc-0000-7000-8000-000000000001"), orderID: Self.order,
        providerPaymentID: nil, checkoutURL: Self.page,
        returnURLs: ReturnURLs(
          success: "myapp://pay/success", cancel: "myapp://pay/cancel",
          failure: "myapp://pay/failure"),
        verificationKey: Secret("a secret")),
      status: status, orderState: .pending, version: version)
  }

  func createCheckout(
    _ request: CheckoutRequest, key: CheckoutKey
  ) async throws(BackendError) -> PaymentAnswer { answer }

  func readPayment(
    _ id: PaymentID, wait: Duration, knownVersion: Int64?
  ) async throws(BackendError) -> PaymentAnswer? { answer }

  func sendSignal(_ signal: CheckoutSignal, for id: PaymentID) async throws(BackendError) {}
}
