import HTTPExchange
import PaymentModels
import PaymentStore
import StrictJSON
import TestSupport
import Testing

@Suite("What an operator sees of the outbox, and does with it")
struct OutboxOperatorTests {
  @Test func `a dead message is listed, shown with what waits behind it, and sent again`()
    async throws
  {
    try await ServerWorld.run { world in
      try await world.store.seed(payments: 0)
      try await world.store.write { transaction in
        var dead = Sample.message(1, sequence: 1)
        dead.nextTryAt = nil
        dead.tries = 400
        try transaction.insertMessage(dead)
        try transaction.insertMessage(Sample.message(2, sequence: 2))
      }
      let listed = try await world.get("/v1/messages?state=dead")["messages"]?.elements
      #expect(listed?.map { $0["message_id"]?.text } == [Sample.messageID(1).rawValue])
      #expect(try await world.get("/v1/messages")["messages"]?.elements?.count == 2)
      let behind = try await world.get("/v1/messages/\(Sample.messageID(2))")
      #expect(behind["state"]?.text == "waiting")
      #expect(behind["waits_for"]?.text == Sample.messageID(1).rawValue)
      #expect(behind["messages"]?.elements?.count == 2)
      let reason = Array(#"{"reason":"it is back"}"#.utf8)
      let path = "/v1/messages/\(Sample.messageID(1))/redeliver"
      let sent = try await world.send("POST", path, body: reason)
      #expect(sent.status == 200)
      #expect(try JSONValue(parsing: sent.body)["state"]?.text == "waiting")
      #expect(try await world.get("/v1/messages?state=dead")["messages"]?.elements == [])
      #expect(try await world.send("POST", path, body: Array("{}".utf8)).status == 422)
      #expect(try await world.send("GET", "/v1/messages?state=lost").status == 400)
      #expect(try await world.send("GET", "/v1/messages", token: ServerWorld.user).status == 403)
      let other = "/v1/messages/\(Sample.messageID(9))"
      #expect(try await world.send("GET", other).status == 404)
      #expect(try await world.send("POST", other + "/redeliver", body: reason).status == 404)
    }
  }

  @Test func `one that a later one has overtaken is a conflict`() async throws {
    try await ServerWorld.run { world in
      try await world.store.seed(payments: 0)
      try await world.store.write { transaction in
        for number in 1...2 {
          var message = Sample.message(number, sequence: Int64(number))
          (message.deliveredAt, message.nextTryAt) = (Sample.start, nil)
          try transaction.insertMessage(message)
        }
      }
      let reason = Array(#"{"reason":"lost there"}"#.utf8)
      let answers = try await [1, 2].asyncMap {
        try await world.send(
          "POST", "/v1/messages/\(Sample.messageID($0))/redeliver", body: reason
        ).status
      }
      #expect(answers == [409, 200])
    }
  }
}

extension Array {
  fileprivate func asyncMap<Value>(
    _ body: (Element) async throws -> Value
  ) async throws -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await body(element)) }
    return values
  }
}
