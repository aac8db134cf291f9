import HTTPExchange
import KitEnvironment
import StrictJSON

/// What a check works with: one provider's sandbox and the backend, and the steps that checks have
/// in common.
struct CheckBench: Sendable {
  /// A payment that the backend opened.
  struct Payment: Sendable {
    let key: String
    let payment: String
    let order: String
    let page: String
    /// The provider's id in the sandbox's ledger.
    let entry: String
    /// Texts by which a delivery is known to be about it.
    let names: [String]

    /// Values for the adapter's calls.
    var values: [String: String] {
      ["payment": payment, "order": order, "provider_payment": entry, "key": key]
    }
  }

  /// Where the backend says that a payment stands.
  struct Said: Sendable {
    let standing: ConformanceAdapter.Standing
    let json: JSONValue
    /// The backend's own words, for the scorecard.
    let words: String
  }

  let account: ConformanceAdapter.Account
  let backend: BackendClient
  let sandbox: SandboxControl
  let relay: DeliveryRelay
  let environment: KitEnvironment
  let opened: OpenedPayments

  var provider: ConformanceProvider { account.provider }
  var adapter: ConformanceAdapter { backend.adapter }

  var uptime: Duration { environment.clock.uptime() }

  func newKey() -> String { environment.newUUID() }

  func pause(_ duration: Duration) async throws {
    try await environment.clock.sleep(for: duration)
  }

  // MARK: Opening

  /// Opens a checkout and finds it in the provider's ledger.
  @discardableResult
  func open(product: String? = nil) async throws -> Payment {
    let key = newKey()
    let created = try await backend.create(account, key: key, product: product)
    return try await payment(created, key: key)
  }

  /// The payment of a create's answer.
  func payment(_ created: BackendClient.Created, key: String) async throws -> Payment {
    guard (200..<300).contains(created.status) else {
      // Whatever the check looks at was not reached.
      throw CheckEnd.notRun("a create was answered \(created.status)")
    }
    guard let id = created.payment, let order = created.order, let page = created.page else {
      throw CheckEnd.notRun("the create's answer lacks payment, order or page")
    }
    let entries = try await sandbox.payments(of: provider)
    let entry =
      entries.last { $0["web_url"]?.text == page }
      ?? entries.last { [$0["id"], $0["session_id"]].contains { page.contains($0?.text ?? " ") } }
    guard let entry, let entryID = entry["id"]?.text else {
      throw CheckEnd.failed("the page that the app was given is none of the provider's")
    }
    let payment = Payment(
      key: key, payment: id, order: order, page: page, entry: entryID,
      names: names(in: entry))
    await opened.add(payment)
    return payment
  }

  /// Texts by which a delivery is known to be about a payment of the ledger.
  func names(in entry: JSONValue) -> [String] {
    [entry["id"]?.text, entry["reference_id"]?.text].compactMap(\.self)
      .filter { $0.utf8.count >= Self.nameBytesMin }
  }

  /// A shorter text could stand in a delivery by chance.
  private static let nameBytesMin = 4

  func ledger(_ payment: Payment) async throws -> JSONValue {
    try await sandbox.payment(payment.entry)
  }

  // MARK: The payer

  /// The payer pays: the provider has the money from now on. What is held is taken by the
  /// merchant's staff, if the backend leaves that to them.
  func pay(_ payment: Payment) async throws {
    try await pay(entry: payment.entry, payment.page)
  }

  /// A payment that was opened and paid, and of which the backend says so.
  func openPaid() async throws -> Payment {
    let payment = try await open()
    try await pay(payment)
    try await until(payment, .paid)
    return payment
  }

  func pay(entry: String, _ page: String) async throws {
    try await approve(entry: entry, page)
    if provider == .tabby, account.capturesByHand { try await captureAtTabby(entry) }
  }

  /// The payer has done his part; a provider that holds money first holds it.
  func approve(entry: String, _ page: String) async throws {
    switch provider {
    case .tabby: try await sandbox.setStatus(entry, "AUTHORIZED")
    case .futa, .rais: try await sandbox.setStatus(entry, "paid")
    case .seb: try await sandbox.setStatus(entry, "CAPTURED")
    // Nothing can be forced on a basket that nobody has tried to pay.
    case .tebex: try await sandbox.submit("\(page)/method", "method=test")
    }
  }

  /// One try to pay is refused; the payment stays open.
  func tryInVain(_ payment: Payment) async throws {
    switch provider {
    case .futa: try await sandbox.submit("\(payment.page)/phone", "msisdn=%2B243900000002")
    case .rais: try await sandbox.submit("\(payment.page)/card", "card_number=4000000000000002")
    case .tebex: try await sandbox.submit("\(payment.page)/method", "method=declined")
    case .seb: try await sandbox.submit("\(payment.page)/card", "card_number=5186000000000013")
    case .tabby: throw CheckEnd.notRun("a try at Tabby leads back to the plan")
    }
  }

  /// The provider refuses for good.
  func refuse(_ payment: Payment) async throws {
    switch provider {
    case .tabby: try await sandbox.setStatus(payment.entry, "REJECTED")
    case .futa, .rais: try await sandbox.setStatus(payment.entry, "failed")
    case .seb: try await sandbox.setStatus(payment.entry, "FAILED")
    case .tebex: throw CheckEnd.notRun("a basket of Tebex never fails for good")
    }
  }

  /// The merchant's staff take held money in Tabby's portal, unless the backend has done it.
  func captureAtTabby(_ entry: String) async throws {
    guard try await sandbox.payment(entry)["status"]?.text == "AUTHORIZED" else { return }
    do {
      _ = try await sandbox.tabby(
        "POST", "/api/v2/payments/\(entry)/captures", account,
        .object(["amount": .string(account.amount)]))
    } catch CheckEnd.notRun(let reason) {
      // The backend may have been faster; then Tabby refuses a second capture.
      guard try await sandbox.payment(entry)["status"]?.text == "CLOSED" else {
        throw CheckEnd.notRun(reason)
      }
    }
  }

  /// The merchant's staff give all of it back, at the provider itself.
  func refund(_ payment: Payment, amount: String? = nil) async throws {
    switch provider {
    case .tabby:
      try await captureAtTabby(payment.entry)
      _ = try await sandbox.tabby(
        "POST", "/api/v2/payments/\(payment.entry)/refunds", account,
        .object(["amount": .string(amount ?? account.amount)]))
    case .futa, .tebex: try await sandbox.setStatus(payment.entry, "refunded")
    case .seb: try await sandbox.setStatus(payment.entry, "REFUNDED")
    case .rais: throw CheckEnd.notRun("Raïs documents no refund")
    }
  }

  // MARK: The backend

  /// Where the backend says that a payment stands.
  func said(_ payment: Payment) async throws -> Said {
    let response = try await backend.send(adapter.read, payment.values)
    guard (200..<300).contains(response.status),
      let json = try? JSONValue(parsing: response.body)
    else {
      throw CheckEnd.failed("a read of the payment was answered \(response.status)")
    }
    var standing = ConformanceAdapter.Standing.waiting
    var words: [String] = []
    for word in adapter.words {
      guard let text = json.text(pointer: word.pointer) else { continue }
      if !words.contains(text) { words.append(text) }
      if standing == .waiting, word.values.contains(text) { standing = word.standing }
    }
    return Said(
      standing: standing, json: json,
      words: words.isEmpty ? "nothing" : words.joined(separator: "/"))
  }

  /// Waits until the backend says so, as an app that asks again and again does.
  @discardableResult
  func until(
    _ payment: Payment, _ wanted: ConformanceAdapter.Standing,
    _ isEnough: (Said) -> Bool = { _ in true }
  ) async throws -> Said {
    let start = uptime
    while true {
      let said = try await said(payment)
      if said.standing == wanted, isEnough(said) { return said }
      guard uptime - start < ConformanceLimits.learnTime else {
        throw CheckEnd.failed(
          "\(ConformanceLimits.learnTime.components.seconds) s later it still says "
            + "“\(said.words)”, not \(wanted.rawValue)")
      }
      try await pause(ConformanceLimits.pollTime)
    }
  }

  /// How much the backend has heard of a payment: calls of the provider's API about it, and
  /// deliveries that it acknowledged.
  func heard(_ payment: Payment) async throws -> Int64 {
    let calls = try await ledger(payment)["calls"]?.members ?? []
    let taken = await relay.deliveries(naming: payment.names).count {
      $0.answer.map { (200..<300).contains($0.status) } ?? false
    }
    return calls.reduce(Int64(taken)) { $0 + ($1.value.int64 ?? 0) }
  }

  /// Watches for a while that the backend says none of these, and that no goods go out.
  ///
  /// - Parameter heard: what it had heard before; the while begins when it has heard more, since
  ///   who has not looked has decided nothing.
  func never(
    _ payment: Payment, _ wrong: [ConformanceAdapter.Standing], sendsGoods: Bool = false,
    since heard: Int64? = nil
  ) async throws -> Said {
    var start = uptime
    var waits = heard != nil
    while true {
      if waits, let heard {
        guard uptime - start < ConformanceLimits.learnTime else {
          throw CheckEnd.notRun(
            "the backend neither asked the provider nor took a webhook for "
              + "\(ConformanceLimits.learnTime.components.seconds) s")
        }
        if try await self.heard(payment) > heard { (waits, start) = (false, uptime) }
      }
      let said = try await said(payment)
      if wrong.contains(said.standing) { throw CheckEnd.failed("it says “\(said.words)”") }
      if !sendsGoods, await relay.fulfilments(of: payment.order) > 0 {
        throw CheckEnd.failed("the goods went out")
      }
      guard waits || uptime - start < ConformanceLimits.settleTime else { return said }
      try await pause(ConformanceLimits.pollTime)
    }
  }

  /// Nothing says paid, and no goods go out.
  func staysUnpaid(_ payment: Payment) async throws -> String {
    "it said “\(try await never(payment, [.paid, .authorized, .refunded]).words)”"
  }

  /// Goods go out, and once.
  func goodsOnce(_ payment: Payment) async throws -> String {
    guard adapter.fulfilment != nil else {
      throw CheckEnd.notRun("the adapter does not say how goods are told to go out")
    }
    let start = uptime
    while await relay.fulfilments(of: payment.order) == 0 {
      guard uptime - start < ConformanceLimits.learnTime else {
        throw CheckEnd.failed("no goods went out")
      }
      try await pause(ConformanceLimits.pollTime)
    }
    try await pause(ConformanceLimits.settleTime)
    let count = await relay.fulfilments(of: payment.order)
    guard count == 1 else { throw CheckEnd.failed("goods went out \(count) times") }
    return "goods went out once"
  }
}

/// The payments that a run opened, for what is judged at its end.
actor OpenedPayments {
  private(set) var all: [CheckBench.Payment] = []

  func add(_ payment: CheckBench.Payment) { all.append(payment) }

  /// The provider lies about this one, so its books prove nothing.
  func leaveOut(_ payment: CheckBench.Payment) { all.removeAll { $0.entry == payment.entry } }
}
