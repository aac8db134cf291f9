import CheckoutLifecycle
import CheckoutSession
import PaymentModels
import TestSupport
import Testing

@Suite("Addresses that leave the page go through the host")
struct OpenOutsideTests {
  /// A host that opens everything by the carrier of its choice, or lacks what would take it.
  private actor Host {
    private(set) var asked: [OutsideOpening] = []
    private(set) var opened: [String] = []
    private let carrier: OutsideCarrier?
    private let refusals: Set<String>

    init(carrier: OutsideCarrier? = nil, refusing refusals: Set<String> = []) {
      self.carrier = carrier
      self.refusals = refusals
    }

    func open(_ opening: OutsideOpening) -> Bool {
      asked.append(opening)
      guard !refusals.contains(opening.url) else { return false }
      opened.append("\((carrier ?? opening.carrier).rawValue) \(opening.url)")
      return true
    }
  }

  private func run(
    _ host: Host, _ body: (SessionWorld, CheckoutKey) async throws -> Void
  ) async throws {
    let clock = ManualClock()
    let backend = ScriptedBackend(clock, reads: [.payment(.pending)])
    let world = SessionWorld(backend, clock: clock) { await host.open($1) }
    try await world.run { _ in try await body(world, try await world.present()) }
  }

  private static let urls = [
    "bankapp://pay?t=a%2Fb+c%zz&t=2#Frag", "BankApp:Pay?x=%E2%82%ac", "mailto:a@b.example",
    "https://bank.example/a//b/?q=1&amp;q=2", "upi://pay?pa=x@y&tn=%20%20",
  ]

  @Test(arguments: urls, [nil] + OutsideCarrier.allCases.map(Optional.some))
  func `the host may choose the carrier, and gets the address as the page named it`(
    url: String, carrier: OutsideCarrier?
  ) async throws {
    let host = Host(carrier: carrier)
    try await run(host) { world, key in
      let opening = OutsideOpening(url: url, carrier: .system)
      #expect(await world.session.openOutside(.openOutside(opening, ends: nil), of: key))
      #expect(await host.asked == [opening])
      #expect(await host.opened == ["\((carrier ?? .system).rawValue) \(url)"])
    }
  }

  @Test func `the payer is away, and the session goes on`() async throws {
    let host = Host()
    try await run(host) { world, key in
      let opening = OutsideOpening(url: "bankapp://pay", carrier: .system)
      await world.session.openOutside(.openOutside(opening, ends: nil), of: key)
      await world.until { await world.backend.signals.contains(.wentOutside) }
      #expect(await world.session.state(of: key)?.phase == .presented)
    }
  }

  @Test func `a receipt and an end are opened, and the payer is not said to be away`() async throws
  {
    let host = Host()
    try await run(host) { world, key in
      let receipt = OutsideOpening(url: "https://checkout.example/r", carrier: .inAppSafari)
      #expect(await world.session.openOutside(.openReceipt(receipt), of: key))
      let bank = OutsideOpening(url: "https://bank.example/", carrier: .system)
      #expect(await world.session.openOutside(.openOutside(bank, ends: .left), of: key))
      #expect(await host.asked == [receipt, bank])
      // Signals keep their order, so one that came would stand before this one.
      await world.session.send(.pageSpoke(isFinal: true), to: key)
      await world.until { await world.backend.signals.contains(.pageFinal) }
      #expect(await world.backend.signals == [.opened, .pageFinal])
    }
  }

  @Test func `who lacks the app gets the fallback, as it is`() async throws {
    let (url, web) = ("intent://pay#Intent;scheme=bank;end", "https://bank.example/a%20b?x=1")
    let host = Host(refusing: [url])
    try await run(host) { world, key in
      let opening = OutsideOpening(
        url: url, carrier: .system, fallback: web, fallbackCarrier: .customTab)
      #expect(await world.session.openOutside(.openOutside(opening, ends: nil), of: key))
      #expect(await host.opened == ["custom_tab \(web)"])
      #expect(await host.asked.map(\.url) == [url, web])
    }
  }

  @Test(arguments: [nil, "https://bank.example/"])
  func `what nothing takes sends nobody away`(fallback: String?) async throws {
    let host = Host(refusing: ["bankapp://pay", "https://bank.example/"])
    try await run(host) { world, key in
      let opening = OutsideOpening(url: "bankapp://pay", carrier: .system, fallback: fallback)
      #expect(await !world.session.openOutside(.openOutside(opening, ends: nil), of: key))
      await world.session.send(.pageSpoke(isFinal: true), to: key)
      await world.until { await world.backend.signals.contains(.pageFinal) }
      #expect(await world.backend.signals == [.opened, .pageFinal])
    }
  }

  @Test(arguments: [NavigationDecision.load, .loadInPlace, .block, .openChild])
  func `what stays in the page does not reach the host`(decision: NavigationDecision) async throws {
    let host = Host()
    try await run(host) { world, key in
      #expect(await !world.session.openOutside(decision, of: key))
      #expect(await host.asked.isEmpty)
    }
  }
}
