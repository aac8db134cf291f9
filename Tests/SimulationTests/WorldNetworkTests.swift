import HTTPExchange
import KitEnvironment
@testable import Simulation
import TestSupport
import Testing

/// What the network notes of the answers that it carries.
struct WorldNetworkTests {
  private struct Teller: HTTPHandler {
    let answer: HTTPResponse

    func respond(to request: HTTPRequest) async -> HTTPResponse { answer }
  }

  /// Where a key was seen that was in `answer`.
  private func leaks(_ answer: HTTPResponse, to name: String) async throws -> [String] {
    try await blocking {
      let scheduler = Scheduler(seed: 1)
      let network = WorldNetwork(scheduler, seed: 1, faults: NetworkFaults())
      let server = Party("server", scheduler, seed: 1, hashing: .weakForTests)
      let client = Party(name, scheduler, seed: 1, hashing: .weakForTests)
      network.listen("http://server", server, Teller(answer: answer))
      let transport = network.transport(of: client)
      let end = SmallWorld.End()
      client.start {
        _ = try? await transport.send(HTTPOutgoing(method: "GET", url: "http://server/"))
        end.isReached = true
      }
      precondition(scheduler.run { end.isReached } == .done, "an answer comes")
      return network.leaks
    }
  }

  private static let key = "sk_\(WorldShop.keyMark)_1"

  @Test(arguments: [
    HTTPResponse(status: 200, body: Array("{\"key\": \"\(key)\"}".utf8)),
    HTTPResponse(status: 302, headers: ["Location": "tillshop://checkout?key=\(key)"]),
    HTTPResponse(status: 200, headers: ["x-\(key)": "1"]),
  ])
  func `a key anywhere in an answer to a device is a leak`(answer: HTTPResponse) async throws {
    #expect(try await leaks(answer, to: "device 1").count == 1)
    #expect(try await leaks(answer, to: "operator") == [])
  }

  @Test func `an answer without a key is none`() async throws {
    let answer = HTTPResponse(status: 200, headers: ["x-key": "none"], body: Array("key".utf8))
    #expect(try await leaks(answer, to: "device 1") == [])
  }
}
