import CurlTransport
import FulfilmentOutbox
import HTTPExchange
import KitEnvironment
import PaymentModels
import SystemCrypto
import SystemRuntime
import Testing
import TestSupport

@testable import Bootstrap

@Suite("till receive as a process")
struct ReceiverProcessTests {
  private static let secret = "a-secret-of-sixteen-bytes"

  /// Starts the receiver, runs `body` with its URL, kills it, and gives the lines that it printed.
  private static func serve(
    _ database: String, _ body: (String) async throws -> Void
  ) async throws {
    let process = try ChildProcess(
      program("till"), arguments: ["receive", "--port", "0", "--database", database],
      environment: ["PATH": "/usr/bin:/bin", "TILL_FULFILMENT_SECRET": secret])
    defer { process.send(.kill) }
    for await line in process.lines {
      try await body(String(line.split(separator: " ").last ?? ""))
      break
    }
  }

  private static func post(
    _ id: String, _ type: String, to url: String, _ transport: CurlTransport,
    secret: String = secret
  ) async throws -> Int {
    let body = Array(
      #"{"id":"\#(id)","type":"\#(type)","order_id":"o-1","sequence":1}"#.utf8)
    var headers = MessageSignature(secret: Secret(secret), hashing: .openSSL)
      .headers(id: id, at: KitClock.system().now(), body: body)
    headers.add("Content-Type", "application/json")
    return try await transport.send(
      HTTPOutgoing(
        method: "POST", url: url, headers: headers, body: body, deadline: .seconds(40))
    ).status
  }

  @Test func `each message is done once, also after a kill, and a forged one never`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let database = "\(directory)/deeds.sqlite"
      let transport = CurlTransport()
      try await Self.serve(database) { url in
        #expect(try await Self.post("m-1", "order.fulfil", to: url, transport) == 204)
        #expect(try await Self.post("m-1", "order.fulfil", to: url, transport) == 204)
        let forged = try await Self.post(
          "m-9", "order.fulfil", to: url, transport, secret: "another-secret-than-that")
        #expect(forged == 401)
      }
      try await Self.serve(database) { url in
        let statuses = [
          try await Self.post("m-1", "order.fulfil", to: url, transport),
          try await Self.post("m-2", "order.revoke", to: url, transport),
        ]
        #expect(statuses == [204, 204])
      }
      await transport.close()
      let book = try ReceivedBook(path: database)
      #expect(try await book.deeds(of: "o-1") == ["order.fulfil", "order.revoke"])
      await book.close()
    }
  }

  @Test func `a secret that is missing is said in one line, with 78`() async throws {
    try await withTemporaryDirectory { directory in
      let ran = try await finish(
        program("till"), ["receive", "--port", "0", "--database", "\(directory)/d.sqlite"])
      #expect(ran.end == .exited(78))
      #expect(ran.lines.count == 1)
    }
  }
}
