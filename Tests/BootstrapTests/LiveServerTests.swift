import HTTPExchange
import MerchantCommands
import PaymentModels
import PaymentStore
import TestSupport
import Testing

@testable import Bootstrap

@Suite("till doctor --live, of the server")
struct LiveServerTests {
  private func answer(
    _ item: String, _ edit: (inout LiveWorld) -> Void = { _ in }
  ) async throws -> LiveCheck.Answer? {
    var world = LiveWorld()
    edit(&world)
    return try await world.found()["server: \(item)"]?.answer
  }

  @Test func `test accounts are not live`() async throws {
    #expect(try await answer("mode") == .no)
  }

  @Test func `the public address is https`() async throws {
    #expect(try await answer("address") == .yes)
    #expect(try await answer("address") { $0.publicURL = nil } == .cannotTell)
    #expect(try await answer("address") { $0.publicURL = "http://pay.shop.example" } == .no)
  }

  @Test(arguments: [
    (nil, LiveCheck.Answer.yes, LiveCheck.Answer.yes),
    (HTTPResponse(status: 502), .no, .no),
    (HTTPResponse(status: 200, body: Array("<html>".utf8)), .no, .no),
    (
      HTTPResponse(status: 200, body: Array(#"{"status":"ok","instance":"i-2"}"#.utf8)),
      .cannotTell, .no
    ),
  ])
  func `what answers at the public address is this server, or told`(
    _ answer: HTTPResponse?, _ server: LiveCheck.Answer, _ webhooks: LiveCheck.Answer
  ) async throws {
    var world = LiveWorld()
    world.publicAnswer = answer
    let found = try await world.found()
    #expect(found["server: reach"]?.answer == server)
    for name in ["tabby", "futa", "rais", "tebex", "seb"] {
      #expect(found["\(name) demo: reach"]?.answer == webhooks)
    }
  }

  @Test func `without a public address nothing is said about it`() async throws {
    var world = LiveWorld()
    world.publicURL = nil
    let found = try await world.found()
    #expect(found["server: reach"]?.answer == .cannotTell)
    #expect(found["seb demo: reach"]?.answer == .cannotTell)
    #expect(found["tabby demo: webhook"]?.answer == .no)
  }

  @Test func `a shop that is not told what to ship is no shop`() async throws {
    #expect(try await answer("fulfilment") == .no)
    for (url, wanted) in [
      ("https://orders.shop.example", LiveCheck.Answer.yes), ("http://127.0.0.1:9000", .yes),
      ("http://orders.shop.example", .no),
    ] {
      let told = """
        {"fulfilment":{"url":"\(url)","secret":{"env":"TILL_FULFILMENT_SECRET"}},"listen_port"
        """
      #expect(try await answer("fulfilment") { $0.edits = [("{\"listen_port\"", told)] } == wanted)
    }
  }

  @Test func `payers come back to an app, in a safe way`() async throws {
    #expect(try await answer("links") == .yes)
    let base = "\"tillshop://checkout\""
    for (settings, wanted) in [
      ("\"https://pay.shop.example/return\",\"app_deep_link\":\"shop://x\"", LiveCheck.Answer.no),
      ("\"http://pay.shop.example/return\",\"app_deep_link\":\"shop://x\"", .no),
      (
        "\"https://pay.shop.example/return\",\"app_deep_link\":\"shop://x\","
          + "\"apple_app_ids\":[\"ABCDE12345.com.example.shop\"]", .yes
      ),
    ] {
      #expect(try await answer("links") { $0.edits = [(base, settings)] } == wanted)
    }
  }

  @Test func `what the doctor finds counts`() async throws {
    #expect(try await answer("doctor") == .yes)
    let late = try await answer("doctor") { world in
      world.prepare = { _, _, store in
        try await store.seed()
        try await store.write {
          try $0.schedulePayment(
            Sample.paymentID(1), ReadSchedule(nextReadAt: Instant(milliseconds: 0)))
        }
      }
    }
    #expect(late == .no)
  }

  @Test func `what a person alone knows is asked`() async throws {
    for item in ["backup", "alarms", "people", "app"] {
      #expect(try await answer(item) == .youSay)
    }
  }
}
