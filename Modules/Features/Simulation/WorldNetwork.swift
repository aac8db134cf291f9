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
    if words.chance(faults.lostRequestPercent) {
      note(exchange, "lost", "")
    } else {
      scheduler.after(oneWay()) { self.arrive(exchange, isCopy: false) }
    }
    if words.chance(faults.duplicatePercent) {
      scheduler.after(oneWay()) { self.arrive(exchange, isCopy: true) }
    }
    return exchange
  }

  private func oneWay() -> Duration {
    let isLate = words.chance(faults.latePercent)
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
    note(exchange, "reaches \(host.party.name)", isCopy ? " (copy)" : "")
    let request = HTTPRequest(
      method: exchange.request.method,
      target: String(exchange.request.url.dropFirst(host.prefix.count)),
      headers: exchange.request.headers, body: exchange.request.body, peer: "127.0.0.1")
    touches(host.party)
    let executor = host.party.executor
    let task = host.party.start {
      let response = await handler.respond(to: request)
      if !isCopy { self.answer(exchange, response) }
    }
    if !isCopy { exchange.receiver = (executor, task) }
  }

  private func answer(_ exchange: Exchange, _ response: HTTPResponse) {
    scheduler.assertHere()
    exchange.receiver = nil
    note(exchange, "answered \(response.status)", exchange.isSettled ? " (too late)" : "")
    if words.chance(faults.lostAnswerPercent) {
      guard words.chance(50) else { return note(exchange, "answer lost", "") }
      scheduler.after(oneWay()) {
        self.settle(exchange, .failure(HTTPTransportError(.unknown, reason: "reset")))
      }
    } else {
      scheduler.after(oneWay()) { self.settle(exchange, .success(response)) }
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
