import HTTPExchange
import KitEnvironment
@testable import Simulation
import StrictJSON
import TestSupport
import Testing

/// What the wishes of operators excuse: what may have been done, and nothing that was refused.
struct OperatorPartyTests {
  /// Lists one case and one payment, and answers what is asked of them in the order given, the last
  /// answer over and over.
  // Read and written on the world's one thread.
  private final class Desk: HTTPHandler, @unchecked Sendable {
    private var answers: [Int]

    init(_ answers: [Int]) { self.answers = answers }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
      if request.method == "POST" {
        let status = answers.count > 1 ? answers.removeFirst() : answers[0]
        return HTTPResponse(status: status, body: Array(#"{"state":"done"}"#.utf8))
      }
      return HTTPResponse(
        status: 200,
        body: Array(
          """
          {"reviews": [{"review": 1, "order_id": "order-1", "decisions": ["keep"]}],
           "payments": [{"payment_id": "pay-1", "state": "captured", "amount": "42.50",
           "currency": "AED"}]}
          """.utf8))
    }
  }

  /// What is excused once an errand is over whose orders are answered so.
  private func excuses(
    of errand: OperatorErrand, answered answers: [Int], seed: UInt64
  ) async throws -> (decided: Set<String>, parts: [String: Int64]) {
    try await blocking {
      let scheduler = Scheduler(seed: seed)
      let network = WorldNetwork(scheduler, seed: seed, faults: NetworkFaults())
      let server = Party("server", scheduler, seed: seed, hashing: .weakForTests)
      let person = Party("operator", scheduler, seed: seed, hashing: .weakForTests)
      network.listen(WorldShop.serverURL, server, Desk(answers))
      let people = OperatorParty(
        person, network: network, sessions: WorldSessions(), seed: seed)
      people.setsOut(errand)
      precondition(scheduler.run { people.isIdle } == .done, "an errand ends")
      return (people.decided, people.partsAsked)
    }
  }

  /// Answers to one command, and whether something may have come of it.
  private static let stories: [(answers: [Int], isExcused: Bool)] = [
    ([200], true), ([409], false), ([400], false), ([403], false),
    // Nobody knows what the first try did.
    ([503, 409], true), ([503, 200], true),
  ]

  @Test(arguments: stories)
  func `a decision that was refused excuses nothing`(answers: [Int], isExcused: Bool) async throws {
    let decided = try await excuses(of: .resolve, answered: answers, seed: 1).decided
    #expect(decided == (isExcused ? ["order-1"] : []))
  }

  @Test(arguments: stories)
  func `a part that was refused is not counted as asked for`(
    answers: [Int], isExcused: Bool
  ) async throws {
    let parts = try await excuses(of: .refundPart, answered: answers, seed: 1).parts
    #expect(parts == (isExcused ? ["pay-1": 1_400] : [:]))
  }

  @Test func `a part that was refused once and done when it was given again counts`() async throws {
    var counts: [Int] = []
    for seed in 1...8 {
      let parts = try await excuses(of: .refundPart, answered: [409, 200], seed: UInt64(seed)).parts
      counts.append(parts.count)
    }
    // Some give a command twice, others do not.
    #expect(Set(counts) == [0, 1])
  }
}
