@testable import CurlTransport
import HTTPExchange
import SystemRuntime
import TestSupport
import Testing

@Suite("Transport over libcurl")
struct CurlTransportTests {
  static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  static func error(
    _ transport: CurlTransport, _ request: HTTPOutgoing
  ) async -> HTTPTransportError? {
    do throws(HTTPTransportError) {
      _ = try await transport.send(request)
      return nil
    } catch { return error }
  }

  @Test func `the request arrives byte for byte`() async throws {
    let server = ScriptedServer(answer: Self.ok)
    let transport = CurlTransport()
    let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    _ = try await transport.send(
      HTTPOutgoing(
        method: "PUT", url: server.url("/a/../b//c?x=%2F&y=1;z"),
        headers: ["X-One": "1", "X-Empty": "", "X-Two": "a, b"], body: body))
    let exchange = try #require(server.exchanges.first)
    #expect(exchange.method == "PUT" && exchange.target == "/a/../b//c?x=%2F&y=1;z")
    #expect(exchange.body == body)
    let lines = exchange.head.split(separator: "\r\n").dropFirst().map { $0.lowercased() }
    #expect(
      lines.sorted() == [
        "accept-encoding: gzip", "accept: */*", "content-length: 100000",
        "host: 127.0.0.1:\(server.port)", "x-empty:", "x-one: 1", "x-two: a, b",
      ])
    await transport.close()
    server.stop()
  }

  @Test(arguments: ["GET", "HEAD", "DELETE", "POST", "PUT", "PATCH"])
  func `each method is sent as it is named, with a length where one belongs`(method: String)
    async throws
  {
    let server = ScriptedServer { _ in
      [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))]
    }
    let transport = CurlTransport()
    let response = try await transport.send(HTTPOutgoing(method: method, url: server.url()))
    #expect(response.status == 200)
    let exchange = try #require(server.exchanges.first)
    #expect(exchange.method == method)
    #expect(
      exchange.head.lowercased().contains("content-length: 0")
        == ["POST", "PUT", "PATCH"].contains(method))
    await transport.close()
    server.stop()
  }

  @Test func `connections are kept and used again`() async throws {
    let server = ScriptedServer(answer: Self.ok)
    // However long a busy machine takes from one request to the next.
    var limits = CurlTransport.Limits()
    limits.idleSecondsMax = 3_600
    let transport = CurlTransport(limits: limits)
    for round in 0..<10 {
      let response = try await transport.send(
        HTTPOutgoing(method: "POST", url: server.url("/\(round)"), body: [1, 2, 3]))
      #expect(response.body == Array("ok".utf8))
    }
    #expect(server.exchanges.count == 10)
    #expect(server.acceptedCount == 1)
    await transport.close()
    server.stop()
  }

  @Test(arguments: ["DELETE", "POST"], [[], [UInt8]("{}".utf8)])
  func `a request that may change something is never written twice`(
    method: String, body: [UInt8]
  ) async throws {
    // The second request on the kept connection is read and the connection closed: libcurl, left
    // alone, would send it again.
    let server = ScriptedServer { exchange in
      exchange.target == "/first" ? [.send(Array(Self.ok.utf8))] : [.close]
    }
    let transport = CurlTransport()
    _ = try await transport.send(HTTPOutgoing(method: "GET", url: server.url("/first")))
    let error = await Self.error(
      transport, HTTPOutgoing(method: method, url: server.url("/second"), body: body))
    #expect(error?.kind == .unknown)
    #expect(server.exchanges.map(\.target) == ["/first", "/second"])
    await transport.close()
    server.stop()
  }

  @Test func `a cancelled exchange ends at once as unknown`() async throws {
    let reached = AsyncStream.makeStream(of: Void.self)
    let server = ScriptedServer { _ in
      reached.continuation.yield()
      return [.hold]
    }
    let transport = CurlTransport()
    let request = HTTPOutgoing(
      method: "POST", url: server.url(), body: [1], deadline: .seconds(600))
    let task = Task { await Self.error(transport, request) }
    for await _ in reached.stream { break }
    task.cancel()
    #expect(await task.value == HTTPTransportError(.unknown, reason: "cancelled"))
    await transport.close()
    server.stop()
  }

  @Test func `a task that was cancelled before sends nothing`() async {
    // Its cancellation handler runs before the exchange is queued, when nobody knows the exchange.
    let server = ScriptedServer { _ in [.hold] }
    let transport = CurlTransport()
    let request = HTTPOutgoing(
      method: "POST", url: server.url(), body: [1], deadline: .seconds(600))
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await Self.error(transport, request)
    }
    task.cancel()
    #expect(await task.value == HTTPTransportError(.unknown, reason: "cancelled"))
    #expect(server.exchanges.isEmpty)
    await transport.close()
    server.stop()
  }

  @Test func `400 tasks cancelled at any moment all end`() async {
    let server = ScriptedServer { exchange in
      exchange.index % 2 == 0 ? [.send(Array(Self.ok.utf8))] : [.hold]
    }
    let transport = CurlTransport()
    let url = server.url()
    let outcomes = await withTaskGroup(of: HTTPTransportError?.self) { group in
      for number in 0..<400 {
        group.addTask {
          let task = Task {
            await Self.error(
              transport, HTTPOutgoing(method: "GET", url: url, deadline: .seconds(600)))
          }
          for _ in 0..<number % 20 { await Task.yield() }
          task.cancel()
          return await task.value
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count == 400)
    let cancelled = HTTPTransportError(.unknown, reason: "cancelled")
    #expect(outcomes.allSatisfy { $0 == nil || $0 == cancelled })
    #expect(transport.openCount == 0)
    await transport.close()
    server.stop()
  }

  @Test func `exchanges beyond the limit are not sent`() async {
    let reached = AsyncStream.makeStream(of: Void.self)
    let server = ScriptedServer { _ in
      reached.continuation.yield()
      return [.hold]
    }
    var limits = CurlTransport.Limits()
    limits.exchangesMax = 2
    let transport = CurlTransport(limits: limits)
    let request = HTTPOutgoing(method: "GET", url: server.url(), deadline: .seconds(600))
    let held = [
      Task { await Self.error(transport, request) }, Task { await Self.error(transport, request) },
    ]
    var reachedCount = 0
    for await _ in reached.stream {
      reachedCount += 1
      if reachedCount == 2 { break }
    }
    let error = await Self.error(transport, request)
    #expect(error == HTTPTransportError(.notSent, reason: "too many exchanges at once"))
    for task in held {
      task.cancel()
      #expect(await task.value?.reason == "cancelled")
    }
    await transport.close()
    server.stop()
  }

  @Test func `closing ends what is open and refuses what comes later`() async {
    let reached = AsyncStream.makeStream(of: Void.self)
    let server = ScriptedServer { _ in
      reached.continuation.yield()
      return [.hold]
    }
    let transport = CurlTransport()
    let request = HTTPOutgoing(method: "GET", url: server.url(), deadline: .seconds(600))
    let task = Task { await Self.error(transport, request) }
    for await _ in reached.stream { break }
    await transport.close()
    #expect(await task.value == HTTPTransportError(.unknown, reason: "transport closed"))
    #expect(
      await Self.error(transport, request)
        == HTTPTransportError(.notSent, reason: "transport closed"))
    await transport.close()
    server.stop()
  }

  @Test func `a transport that nobody holds ends its connections`() async throws {
    let left = AsyncStream.makeStream(of: Void.self)
    let server = ScriptedServer { exchange in
      exchange.index == 0 ? [.send(Array(Self.ok.utf8)), .hold] : [.close]
    } onConnectionEnd: {
      left.continuation.yield()
    }
    do {
      let transport = CurlTransport()
      _ = try await transport.send(HTTPOutgoing(method: "GET", url: server.url()))
    }
    for await _ in left.stream { break }
    #expect(server.acceptedCount == 1)
    server.stop()
  }
}
