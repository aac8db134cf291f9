import HTTPExchange
import KitEnvironment
import PaymentModels
@testable import Simulation
import TestSupport

/// Two parties, one hostile network, tasks of every structured kind: what a scheduler has to keep
/// in hand.
enum SmallWorld {
  /// Counts what reaches it.
  private actor Counter: HTTPHandler {
    private let environment: KitEnvironment
    private var count = 0

    init(_ environment: KitEnvironment) { self.environment = environment }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
      count += 1
      try? await environment.clock.sleep(
        for: .milliseconds(environment.random.below(500)))
      return HTTPResponse(status: 200, body: Array("\(count)".utf8))
    }
  }

  /// Runs to its end and gives the whole trace. Only on a thread of its own.
  static func trace(seed: UInt64) -> String {
    let scheduler = Scheduler(seed: seed)
    let network = WorldNetwork(scheduler, seed: seed, faults: .hostile)
    let server = Party(
      "server", scheduler, seed: seed, hashing: .weakForTests, offset: .seconds(9), drift: 300)
    let client = Party("client", scheduler, seed: seed, hashing: .weakForTests, drift: -100)
    network.listen("http://server", server, Counter(server.environment))
    let transport = network.transport(of: client)
    let environment = client.environment
    let end = End()
    client.start {
      await withTaskGroup(of: String.self) { group in
        for number in 0..<20 {
          group.addTask {
            let pause = Duration.milliseconds(environment.random.below(2_000))
            try? await environment.clock.sleep(for: pause)
            async let id = environment.newUUID()
            do throws(HTTPTransportError) {
              let answer = try await transport.send(
                HTTPOutgoing(method: "GET", url: "http://server/\(number)"))
              return "\(await id) \(number) \(String(decoding: answer.body, as: UTF8.self))"
            } catch {
              return "\(await id) \(number) \(error)"
            }
          }
        }
        for await line in group { client.note(line) }
      }
      end.isReached = true
    }
    precondition(scheduler.run { end.isReached } == .done, "the small world stalled")
    return scheduler.trace.text
  }

  // Read and written on the world's one thread.
  final class End: @unchecked Sendable {
    var isReached = false
  }
}
