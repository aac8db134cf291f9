import HTTPExchange
import HTTPListener
import Testing

@Suite struct `Serving requests` {
  @Test func `a request gets the handler's answer and the connection stays open`() async throws {
    try await serving { listener in
      let answers = await onThread { [port = listener.port] in
        guard let client = RawClient(port: port) else { return [Answer]() }
        var answers: [Answer] = []
        for number in 1...3 {
          client.send("POST /n/\(number) HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n\(number)")
          answers += client.receiveAnswers(1)
        }
        return answers
      }
      #expect(answers.map(\.status) == [200, 200, 200])
      #expect(answers.map(\.text) == ["1", "2", "3"])
      #expect(answers.allSatisfy { !$0.closes && $0.head.contains("\r\nDate: ") })
    }
  }
}
