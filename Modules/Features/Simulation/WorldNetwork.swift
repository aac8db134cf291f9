import KitEnvironment
import HTTPExchange
import PaymentModels

/// The network of a world: carries requests as values to the handlers of other parties.
///
/// The receiver's work is started on the receiver's own executor, so sender and receiver share
/// neither a task nor an actor. Parties die and come back; what was under way then ends as it does
/// on real sockets: refused, reset, or not at all.
// Reached only from jobs and timers of the world, so on its one thread; the scheduler checks it.
final class WorldNetwork: @unchecked Sendable {
  let scheduler: Scheduler
  var faults: NetworkFaults
  private var words: SeededWords
  private var hosts: [Host] = []
  private var open: [UInt64: Exchange] = [:]
  private var count: UInt64 = 0
  private var watches: [(party: Party, messages: Int, action: (Int) -> Void)] = []
  private var cuts: [(one: String, other: String)] = []
  private var outages: [(prefix: String, kind: WorldPart.Outage)] = []
  /// Where something was seen that nobody may know there.
  private(set) var leaks: [String] = []

  /// A party that can be reached, under the beginning of its URLs.
  private struct Host {
    let prefix: String
    let party: Party
    /// Nil while nobody listens.
    var handler: (any HTTPHandler)?
  }

  init(_ scheduler: Scheduler, seed: UInt64, faults: NetworkFaults) {
    self.scheduler = scheduler
    self.faults = faults
    words = SeededWords(seed: seed, name: "network")
  }

  /// Lets a party be reached at `prefix`; nil takes it off the network.
  func listen(_ prefix: String, _ party: Party, _ handler: (any HTTPHandler)?) {
    hosts.removeAll { $0.prefix == prefix }
    hosts.append(Host(prefix: prefix, party: party, handler: handler))
  }

  /// Forgets everybody, at the end of the world.
  func close() {
    hosts = []
    open = [:]
    watches = []
  }

  func transport(of party: Party) -> any HTTPTransport {
    WorldTransport(network: self, party: party, executor: party.executor)
  }

  /// Tells `action` how many messages a party has sent and received, at each.
  func watch(_ party: Party, _ action: @escaping (Int) -> Void) {
    watches.append((party, 0, action))
  }

  private func touches(_ party: Party) {
    for index in watches.indices where watches[index].party === party {
      watches[index].messages += 1
      watches[index].action(watches[index].messages)
    }
  }

  // MARK: One exchange

  func begin(_ request: HTTPOutgoing, from party: Party) -> Exchange {
    count += 1
    let exchange = Exchange(count, request, from: party)
    open[count] = exchange
    note(exchange, "sends", "")
    touches(party)
    exchange.deadline = scheduler.after(request.deadline, owner: exchange.sender) {
      self.settle(exchange, .failure(HTTPTransportError(.unknown, reason: "timeout")))
    }
    if isHit(.lostRequest) {
      note(exchange, "lost", "")
    } else {
      scheduler.after(oneWay()) { self.arrive(exchange, isCopy: false) }
    }
    if isHit(.duplicate) {
      scheduler.after(oneWay()) { self.arrive(exchange, isCopy: true) }
    }
    return exchange
  }

  /// Whether a message meets a fault.
  private func isHit(_ fault: NetworkFault) -> Bool {
    guard words.chance(faults[fault]) else { return false }
    scheduler.coverage.reach(.fault, fault.rawValue)
    return true
  }

  private func oneWay() -> Duration {
    let isLate = isHit(.late)
    return words.duration(isLate ? faults.latencyMs.upperBound...faults.lateMs : faults.latencyMs)
  }

  private func arrive(_ exchange: Exchange, isCopy: Bool) {
    guard let host = hosts.first(where: { exchange.request.url.hasPrefix($0.prefix) }),
      let handler = host.handler
    else {
      note(exchange, "refused", isCopy ? " (copy)" : "")
      let refusal = HTTPTransportError(.notSent, reason: "connect refused")
      if !isCopy { scheduler.after(oneWay()) { self.settle(exchange, .failure(refusal)) } }
      return
    }
    if isCut(exchange.party, host.party.name) { return note(exchange, "does not get through", "") }
    if let outage = outage(at: exchange.request.url) {
      return meet(outage, exchange, isCopy: isCopy)
    }
    note(exchange, "reaches \(host.party.name)", isCopy ? " (copy)" : "")
    let request = HTTPRequest(
      method: exchange.request.method,
      target: String(exchange.request.url.dropFirst(host.prefix.count)),
      headers: exchange.request.headers, body: exchange.request.body, peer: "127.0.0.1")
    touches(host.party)
    let executor = host.party.executor
    let receiver = host.party.name
    let task = host.party.start {
      let response = await handler.respond(to: request)
      if !isCopy { self.answer(exchange, response, by: receiver) }
    }
    if !isCopy { exchange.receiver = (executor, task) }
  }

  private func answer(_ exchange: Exchange, _ response: HTTPResponse, by receiver: String) {
    scheduler.assertHere()
    exchange.receiver = nil
    note(exchange, "answered \(response.status)", exchange.isSettled ? " (too late)" : "")
    if isCut(exchange.party, receiver) { return note(exchange, "answer does not get through", "") }
    if isHit(.lostAnswer) {
      guard words.chance(50) else { return note(exchange, "answer lost", "") }
      return fail(exchange, "reset")
    }
    var response = response
    if isHit(.proxyPage) {
      note(exchange, "answer replaced by a proxy", "")
      response = Self.proxyPage(502)
    } else if !response.body.isEmpty, isHit(.truncated) {
      note(exchange, "answer breaks off", "")
      // With a length in its head a client sees that it broke off; without one, it does not.
      guard words.chance(50) else { return fail(exchange, "broke off") }
      response.body.removeLast(response.body.count / 2)
    }
    look(for: WorldShop.keyMark, in: response, at: exchange.party, exchange)
    scheduler.after(oneWay()) { self.settle(exchange, .success(response)) }
  }

  private func fail(_ exchange: Exchange, _ reason: String) {
    scheduler.after(oneWay()) {
      self.settle(exchange, .failure(HTTPTransportError(.unknown, reason: reason)))
    }
  }

  private static func proxyPage(_ status: Int) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["Content-Type": "text/html"],
      body: Array("<html><body><h1>\(status)</h1><hr>proxy</body></html>".utf8))
  }

  /// Notes a provider's key that gets to a device.
  private func look(
    for mark: String, in response: HTTPResponse, at party: String, _ exchange: Exchange
  ) {
    guard party.hasPrefix("device") else { return }
    let isInHead = response.headers.fields.contains {
      $0.name.contains(mark) || $0.value.contains(mark)
    }
    guard isInHead || response.body.firstRange(of: Array(mark.utf8)) != nil else { return }
    leaks.append("\(party) was answered a provider's key: \(exchange.title)")
  }

  // MARK: Partitions and outages

  /// Parties whose names begin so cannot reach each other until it is mended.
  func cut(_ one: String, _ other: String) {
    cuts.append((one, other))
    scheduler.coverage.reach(.fault, "partition")
  }

  func mend(_ one: String, _ other: String) {
    cuts.removeAll { $0.one == one && $0.other == other }
  }

  private func isCut(_ one: String, _ other: String) -> Bool {
    cuts.contains {
      one.hasPrefix($0.one) && other.hasPrefix($0.other)
        || other.hasPrefix($0.one) && one.hasPrefix($0.other)
    }
  }

  /// A provider is out until it is back; nil is back.
  func setOutage(_ provider: String, _ kind: WorldPart.Outage?) {
    outages.removeAll { $0.prefix == provider }
    if let kind { outages.append((provider, kind)) }
  }

  private func outage(at url: String) -> WorldPart.Outage? {
    guard !outages.isEmpty, url.hasPrefix(WorldShop.sandboxURL) else { return nil }
    let first = url.dropFirst(WorldShop.sandboxURL.count + 1).prefix { $0 != "/" }
    let provider = ["futa", "rais", "tebex", "seb"].contains(first) ? String(first) : "tabby"
    return outages.first { $0.prefix == provider }?.kind
  }

  private func meet(_ outage: WorldPart.Outage, _ exchange: Exchange, isCopy: Bool) {
    scheduler.coverage.reach(.fault, "provider \(outage.rawValue)")
    note(exchange, "meets a provider that \(outage.rawValue)", "")
    guard !isCopy else { return }
    switch outage {
    case .hangs: return
    case .refuses:
      let refusal = HTTPTransportError(.notSent, reason: "connect refused")
      scheduler.after(oneWay()) { self.settle(exchange, .failure(refusal)) }
    case .answers502, .answers429:
      let page = Self.proxyPage(outage == .answers429 ? 429 : 502)
      scheduler.after(oneWay()) { self.settle(exchange, .success(page)) }
    }
  }

  /// Ends the exchange for its sender, unless it has ended. A receiver that is still at work
  /// learns a little later that its peer has left.
  func settle(_ exchange: Exchange, _ result: Result<HTTPResponse, HTTPTransportError>) {
    scheduler.assertHere()
    guard exchange.settle(result) else { return }
    if let wait = exchange.wait { scheduler.waited(wait) }
    open[exchange.number] = nil
    if case .failure(let error) = result { note(exchange, "failed: \(error.reason)", "") }
    hangUp(exchange)
  }

  private func hangUp(_ exchange: Exchange) {
    guard let receiver = exchange.receiver else { return }
    exchange.receiver = nil
    scheduler.after(oneWay(), owner: receiver.executor) { receiver.task.cancel() }
  }

  /// What a party's end does to its connections.
  func died(_ executor: SeededExecutor) {
    for (_, exchange) in open.sorted(by: { $0.key < $1.key }) {
      if exchange.sender === executor {
        open[exchange.number] = nil
        hangUp(exchange)
      } else if exchange.receiver?.executor === executor {
        exchange.receiver = nil
        scheduler.after(oneWay()) {
          self.settle(exchange, .failure(HTTPTransportError(.unknown, reason: "reset")))
        }
      }
    }
  }

  private func note(_ exchange: Exchange, _ what: String, _ more: String) {
    scheduler.note(exchange.party, "\(exchange.title) \(what)\(more)")
  }
}

/// One request and what becomes of it.
// Reached only through the network, so on the world's thread.
final class Exchange: @unchecked Sendable {
  let number: UInt64
  let request: HTTPOutgoing
  let party: String
  let sender: SeededExecutor
  var deadline: TimerQueue.Entry?
  var receiver: (executor: SeededExecutor, task: Task<Void, Never>)?
  var wait: UInt64?
  let answer = Answer<Result<HTTPResponse, HTTPTransportError>>()

  init(_ number: UInt64, _ request: HTTPOutgoing, from party: Party) {
    self.number = number
    self.request = request
    self.party = party.name
    sender = party.executor
  }

  var title: String {
    let path = request.url.split(separator: "/", maxSplits: 2).last ?? ""
    return "[\(number)] \(request.method) \(path)"
  }

  var isSettled: Bool { answer.value != nil }

  /// False if it was settled before.
  func settle(_ result: Result<HTTPResponse, HTTPTransportError>) -> Bool {
    deadline?.cancel()
    return answer.give(result)
  }
}

/// One party's way into the network.
struct WorldTransport: HTTPTransport {
  let network: WorldNetwork
  let party: Party
  /// That of the life which holds this transport.
  let executor: SeededExecutor

  func send(_ request: HTTPOutgoing) async throws(HTTPTransportError) -> HTTPResponse {
    network.scheduler.assertHere()
    precondition(executor.isAlive, "a dead party sends nothing")
    if let refusal = request.refusal { throw HTTPTransportError(.notSent, reason: refusal) }
    let exchange = network.begin(request, from: party)
    exchange.wait = network.scheduler.waiting(
      "\(party.name) awaits \(exchange.title)", of: executor)
    let result = await withTaskCancellationHandler {
      await exchange.answer.wait()
    } onCancel: {
      network.settle(exchange, .failure(HTTPTransportError(.unknown, reason: "cancelled")))
    }
    return try result.get()
  }
}
