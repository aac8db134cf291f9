import CheckoutLifecycle
import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderSandbox
import StrictJSON

/// What happens to a world from outside.
extension WorldRun {
  func carryOutPlan() {
    for part in plan.parts {
      scheduler.after(part.at) { self.carryOut(part) }
    }
  }

  private func carryOut(_ part: WorldPart) {
    switch part.action {
    case .buys(let device, let purchase):
      let item = CheckoutRequest.Item(
        productID: purchase.product, quantity: purchase.quantity)
      phones[device].happens(
        .buys(
          CheckoutRequest(provider: purchase.provider, purchase: .items([item])),
          purchase.strategy))
    case .triesAgain(let device):
      guard let latest = latest(of: device) else { return }
      phones[device].happens(
        .buys(CheckoutRequest(provider: latest.provider, purchase: .order(latest.order)), nil))
    case .edits(let device, let purchase):
      guard let latest = latest(of: device), latest.provider == purchase.provider else { return }
      let item = CheckoutRequest.Item(
        productID: purchase.product, quantity: purchase.quantity)
      phones[device].happens(
        .buys(
          CheckoutRequest(
            provider: latest.provider, purchase: .edited(latest.order, [item])), nil))
    case .mood(let device, let event): phones[device].happens(.app(event))
    case .network, .slowDisk, .sandbox: break
    case .cut(let one, let other, let until):
      network.cut(one, other)
      scheduler.after(until - part.at) { self.network.mend(one, other) }
    case .outage(let provider, let kind, let until):
      network.setOutage(provider, kind)
      scheduler.after(until - part.at) { self.network.setOutage(provider, nil) }
    case .crash(.server, let message, let jobs):
      network.watch(server.party) { if $0 == message { self.server.crash(afterJobs: jobs) } }
    case .crash(.device(let device), let message, let jobs):
      let phone = phones[device]
      network.watch(phone.app) { if $0 == message { phone.crash(afterJobs: jobs) } }
    case .crashAt(let checkpoint, let times): server.crash(at: checkpoint, times: times)
    case .restart: server.restart()
    case .fullDisk(let until):
      server.storage.setFull(true)
      scheduler.after(until - part.at) { self.server.storage.setFull(false) }
    case .clock(let victim, let step): setClock(of: victim, by: step)
    case .errand(let errand): people.setsOut(errand)
    case .rotates(let provider): rotate(provider)
    case .rotatesOperatorKey: rotateOperatorKey()
    case .signsOut(let payer):
      scheduler.note("world", "the sign-in of payer \(payer + 1) runs out")
      scheduler.coverage.reach(.fault, "sign-in runs out")
      sessions.runOut(payer)
    case .moves(let move): moveMoney(move, looksLeft: 30)
    }
  }

  /// Has a provider do something to a payment by itself, once there is one that it fits.
  func moveMoney(_ move: WorldPart.ProviderMove, looksLeft: Int) {
    guard looksLeft > 0, hasFaults || !move.isUntold else { return }
    parties.provider.start { [self] in
      let request = HTTPRequest(method: "GET", target: "/sandbox/ledger")
      let ledger = try? JSONValue(parsing: await sandbox.respond(to: request).body)
      let found = ledger?["payments"]?.elements?.lazy.compactMap { payment in
        payment["id"]?.text.flatMap { id in move.word(for: payment).map { (id, $0) } }
      }.first
      guard let (id, word) = found else {
        scheduler.after(.seconds(60)) { self.moveMoney(move, looksLeft: looksLeft - 1) }
        return
      }
      scheduler.coverage.reach(.fault, "own \(move.rawValue) of a provider")
      parties.provider.note("\(id) becomes \(word) by itself")
      tell(SandboxStack.move(id, to: word))
      guard move == .dispute else { return }
      let end = parties.provider.random.below(2) == 0 ? "dispute_won" : "dispute_lost"
      scheduler.after(.seconds(900)) { self.tell(SandboxStack.move(id, to: end)) }
    }
  }

  /// The latest order that the device's payer has seen on any device.
  private func latest(of device: Int) -> (order: OrderID, provider: ProviderName)? {
    let own = phones.indices.filter { plan.devices[$0] == plan.devices[device] }
    return phones[device].latest ?? own.compactMap { phones[$0].latest }.first
  }

  private func setClock(of victim: WorldPart.Victim, by step: Duration) {
    let party: Party =
      switch victim {
      case .server: server.party
      case .device(let device): phones[device].app
      }
    party.note("has its clock set by \(step)")
    party.offset += step
    if victim == .server { clockOfServerWasSet() }
    scheduler.coverage.reach(.fault, step < .zero ? "clock set back" : "clock set forward")
  }

  /// Changes a webhook secret as an operator has to: the server takes both, the provider signs by
  /// the new one, and the server forgets the old one, with time for deliveries on their way.
  private func rotate(_ provider: String) {
    scheduler.coverage.reach(.fault, "new webhook secret")
    let restart: ([Int]) -> Void = { [self] generations in
      server.providers.take(generations, of: provider)
      server.restart()
    }
    restart([0, 1])
    scheduler.after(.seconds(90)) { [self] in
      if provider == "tabby" {
        changeTabbyHeader()
      } else {
        tell(SandboxStack.rotation(provider, 1))
      }
    }
    scheduler.after(.seconds(1_800)) { restart([1]) }
  }

  /// Tabby's secret is a header of the registration, which its merchant changes by call.
  private func changeTabbyHeader() {
    parties.provider.start { [self] in
      let list = await sandbox.respond(to: SandboxStack.tabbyWebhooks("GET", ""))
      let json = try? JSONValue(parsing: list.body)
      let first = json?.elements?.first ?? json
      guard let id = first?["id"]?.text else { preconditionFailure("a registration is there") }
      tell(SandboxStack.tabbyWebhooks("PUT", "/\(id)", generation: 1))
    }
  }

  /// Changes the key of the staff: the server takes both, the staff uses the new one, and the
  /// server forgets the old one.
  private func rotateOperatorKey() {
    scheduler.coverage.reach(.fault, "new operator key")
    let restart: ([Int]) -> Void = { [self] generations in
      sessions.operatorGenerations = generations
      server.restart()
    }
    restart([0, 1])
    // A server that had just died comes back within a minute.
    scheduler.after(.seconds(90)) { [self] in
      people.party.note("has a new key")
      sessions.operatorGeneration = 1
    }
    scheduler.after(.seconds(1_800)) { restart([1]) }
  }
}

extension WorldPlan {
  var networkFaults: NetworkFaults {
    var faults = NetworkFaults()
    for part in parts {
      if case .network(let fault, let percent) = part.action { faults[fault] = percent }
    }
    return faults
  }

  /// Providers that do what their documents leave open.
  var misbehaving: Set<String> {
    Set(
      parts.compactMap { part in
        if case .sandbox(let provider) = part.action { provider } else { nil }
      })
  }

  var slowDiskMs: Int? {
    parts.lazy.compactMap { part in
      if case .slowDisk(let maxMs) = part.action { maxMs } else { nil }
    }.first
  }
}

extension WorldPart.ProviderMove {
  /// Whether it may be long until the merchant can know of it, so that it is no move for the time
  /// when faults have ended.
  fileprivate var isUntold: Bool {
    switch self {
    case .refund, .dispute: false
    case .lateYes, .lapseOfHold, .close: true
    }
  }

  /// The state that a payment of the ledger comes to; nil if it does not fit.
  fileprivate func word(for payment: JSONValue) -> String? {
    let (provider, status) = (payment["provider"]?.text ?? "", payment["status"]?.text ?? "")
    let isUntouched = payment["captured"]?.text?.allSatisfy { "0.".contains($0) } ?? false
    let wasOpened = payment["events"]?.elements?.contains { $0["event"]?.text == "page_opened" }
    switch (self, provider, status) {
    case (.refund, "futa", "paid"), (.refund, "tebex", "complete"): return "refunded"
    case (.refund, "seb", "CAPTURED"): return "REFUNDED"
    case (.dispute, "tebex", "complete"): return "dispute_opened"
    // Nobody can have paid on a page that nobody saw.
    case (.lateYes, _, _) where wasOpened != true: return nil
    case (.lateYes, "tabby", "EXPIRED"), (.lateYes, "tabby", "REJECTED"): return "AUTHORIZED"
    case (.lateYes, "tabby", "CLOSED"): return isUntouched ? "AUTHORIZED" : nil
    case (.lateYes, "futa", "failed"), (.lateYes, "futa", "expired"),
      (.lateYes, "futa", "cancelled"), (.lateYes, "rais", "failed"), (.lateYes, "rais", "expired"),
      (.lateYes, "rais", "cancelled"):
      return "paid"
    case (.lateYes, "seb", "FAILED"), (.lateYes, "seb", "EXPIRED"), (.lateYes, "seb", "CANCELLED"):
      return "CAPTURED"
    case (.lapseOfHold, "tabby", "AUTHORIZED"): return isUntouched ? "EXPIRED" : nil
    case (.close, "tabby", "AUTHORIZED"): return isUntouched ? nil : "CLOSED"
    default: return nil
    }
  }
}
