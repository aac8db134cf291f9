import AppSimulator
import CheckoutLifecycle
import CheckoutSession
import CommandLineParser
import KitEnvironment
import PaymentModels
import SystemRuntime

/// Apps that are wrong on purpose, in debug builds only: they show that the stories of the matrix
/// can fail for the client's half too. Each wraps the real app from outside and breaks one rule.
enum BrokenClient: String, Sendable, CaseIterable {
  /// Chooses a new idempotency key for every create, so a killed process pays twice.
  case newKey = "new-key"
  /// Takes any return for success, whatever the server says.
  case trustLink = "trust-link"
  /// Takes a server that does not answer for a refusal.
  case failOnError = "fail-on-error"
  /// Knows nothing of open checkouts when it is started anew.
  case forgetOpen = "forget-open"
  /// Does not look at what a link names: it is for whatever is open.
  case anyLink = "any-link"
  /// Takes no link.
  case dropLinks = "drop-links"
  /// Begins another run of reads whenever it comes to the foreground.
  case readTwice = "read-twice"

  static let options = BrokenKit.option(allCases.map(\.rawValue))

  func wrap(_ store: any DeviceStore) -> any DeviceStore {
    self == .forgetOpen ? ForgetfulStore(real: store) : store
  }

  func wrap(
    _ backend: any MerchantBackend, _ environment: KitEnvironment
  ) -> any MerchantBackend {
    switch self {
    case .newKey: KeylessBackend(real: backend, newUUID: environment.newUUID)
    case .trustLink: CredulousBackend(real: backend)
    case .failOnError: HastyBackend(real: backend)
    case .readTwice: RestlessBackend(real: backend)
    case .forgetOpen, .anyLink, .dropLinks: backend
    }
  }

  func wrap(_ errand: AppErrand) -> AppErrand {
    guard case .launch(let link) = errand else { return errand }
    switch self {
    case .dropLinks: return .resume
    case .anyLink: return .launch(link: Self.nameless(link))
    case .newKey, .trustLink, .failOnError, .forgetOpen, .readTwice: return errand
    }
  }

  /// Runs `body` with what it hears of these lines.
  func hearing<Ended>(
    _ lines: AsyncStream<String>, _ body: (AsyncStream<String>) async -> Ended
  ) async -> Ended {
    let (heard, feed) = AsyncStream.makeStream(of: String.self)
    async let _ = pass(lines, on: feed)
    return await body(heard)
  }

  private func pass(
    _ lines: AsyncStream<String>, on feed: AsyncStream<String>.Continuation
  ) async {
    for await line in lines {
      switch self {
      case .anyLink where line.hasPrefix("link "): feed.yield(Self.nameless(line))
      case .dropLinks where line.hasPrefix("link "): break
      case .newKey, .trustLink, .failOnError, .forgetOpen, .anyLink, .dropLinks, .readTwice:
        feed.yield(line)
      }
    }
    feed.finish()
  }

  private static func nameless(_ link: String) -> String { String(link.prefix { $0 != "?" }) }
}

/// What it holds open is gone when it is read.
private struct ForgetfulStore: DeviceStore {
  let real: any DeviceStore

  func save(_ record: CheckoutRecord) async throws { try await real.save(record) }
  func load(_ key: CheckoutKey) async throws -> CheckoutRecord? { try await real.load(key) }
  func all() async throws -> [CheckoutRecord] {
    try await real.all().filter { $0.stage == .settled }
  }
  func remove(_ key: CheckoutKey) async throws { try await real.remove(key) }
}

/// A create is a new one each time.
private struct KeylessBackend: MerchantBackend {
  let real: any MerchantBackend
  let newUUID: @Sendable () -> String

  func createCheckout(
    _ request: CheckoutRequest, key: CheckoutKey
  ) async throws(BackendError) -> PaymentAnswer {
    try await real.createCheckout(request, key: CheckoutKey(newUUID()))
  }

  func readPayment(
    _ id: PaymentID, wait: Duration, knownVersion: Int64?
  ) async throws(BackendError) -> PaymentAnswer? {
    try await real.readPayment(id, wait: wait, knownVersion: knownVersion)
  }

  func sendSignal(_ signal: CheckoutSignal, for id: PaymentID) async throws(BackendError) {
    try await real.sendSignal(signal, for: id)
  }
}

/// Every answer after a return is "paid".
private final class CredulousBackend: MerchantBackend {
  private let real: any MerchantBackend
  private let returned = Locked<Set<PaymentID>>([])

  init(real: any MerchantBackend) { self.real = real }

  func createCheckout(
    _ request: CheckoutRequest, key: CheckoutKey
  ) async throws(BackendError) -> PaymentAnswer {
    try await real.createCheckout(request, key: key)
  }

  func readPayment(
    _ id: PaymentID, wait: Duration, knownVersion: Int64?
  ) async throws(BackendError) -> PaymentAnswer? {
    guard returned.withLock({ $0.contains(id) }) else {
      return try await real.readPayment(id, wait: wait, knownVersion: knownVersion)
    }
    var answer = try await real.readPayment(id, wait: .zero, knownVersion: nil)
    answer?.status = .captured
    answer?.orderState = .paid
    return answer
  }

  func sendSignal(_ signal: CheckoutSignal, for id: PaymentID) async throws(BackendError) {
    if case .returned = signal { returned.withLock { _ = $0.insert(id) } }
    try await real.sendSignal(signal, for: id)
  }
}

/// No answer is "rejected".
private final class HastyBackend: MerchantBackend {
  private let real: any MerchantBackend
  private let known = Locked<[PaymentID: PaymentAnswer]>([:])

  init(real: any MerchantBackend) { self.real = real }

  func createCheckout(
    _ request: CheckoutRequest, key: CheckoutKey
  ) async throws(BackendError) -> PaymentAnswer {
    let answer = try await real.createCheckout(request, key: key)
    known.withLock { $0[answer.payment.paymentID] = answer }
    return answer
  }

  func readPayment(
    _ id: PaymentID, wait: Duration, knownVersion: Int64?
  ) async throws(BackendError) -> PaymentAnswer? {
    do {
      return try await real.readPayment(id, wait: wait, knownVersion: knownVersion)
    } catch {
      guard !Task.isCancelled, var answer = known.withLock({ $0[id] }) else { throw error }
      answer.status = .rejected
      answer.version = knownVersion ?? answer.version
      return answer
    }
  }

  func sendSignal(_ signal: CheckoutSignal, for id: PaymentID) async throws(BackendError) {
    try await real.sendSignal(signal, for: id)
  }
}

/// Each foreground has the server asked once more, beside the run of reads that is under way.
private final class RestlessBackend: MerchantBackend {
  private let real: any MerchantBackend
  private let versions = Locked<[PaymentID: Int64]>([:])

  init(real: any MerchantBackend) { self.real = real }

  func createCheckout(
    _ request: CheckoutRequest, key: CheckoutKey
  ) async throws(BackendError) -> PaymentAnswer {
    try await real.createCheckout(request, key: key)
  }

  func readPayment(
    _ id: PaymentID, wait: Duration, knownVersion: Int64?
  ) async throws(BackendError) -> PaymentAnswer? {
    let answer = try await real.readPayment(id, wait: wait, knownVersion: knownVersion)
    if let answer { versions.withLock { $0[id] = answer.version } }
    return answer
  }

  func sendSignal(_ signal: CheckoutSignal, for id: PaymentID) async throws(BackendError) {
    try await real.sendSignal(signal, for: id)
    guard signal == .foregrounded, let version = versions.withLock({ $0[id] }) else { return }
    _ = try await real.readPayment(id, wait: .seconds(25), knownVersion: version)
  }
}
