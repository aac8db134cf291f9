private import Glibc
import SystemRuntime

/// A raw TCP server on the loopback that answers as a test dictates, also where no proper server
/// would: cut short, reset, silent. Each connection has a thread of its own.
public final class ScriptedServer: Sendable {
  /// What the server does next on a connection.
  public enum Step: Sendable {
    /// Writes the bytes.
    case send([UInt8])
    /// Closes the connection in good order.
    case close
    /// Closes it with a reset.
    case reset
    /// Says nothing more until the peer leaves.
    case hold
  }

  /// A request that the server has read.
  public struct Exchange: Sendable {
    /// Number of the connection, from 0 in the order of their acceptance.
    public let connection: Int
    /// Number of the request on that connection, from 0.
    public let index: Int
    /// Request line and header fields as they came.
    public let head: String
    /// The body, as long as `Content-Length` says.
    public let body: [UInt8]

    /// The method.
    public var method: String { String(head.prefix { $0 != " " }) }
    /// Path and query.
    public var target: String { String(head.split(separator: " ").dropFirst().first ?? "") }
  }

  private struct State {
    var connections: Set<Int32> = []
    var acceptedCount = 0
    var exchanges: [Exchange] = []
    var isStopped = false
  }

  /// The port on 127.0.0.1.
  public let port: UInt16
  private let listener: Int32
  private let state = Locked(State())

  /// Starts a server that answers each request by what `script` returns for it.
  ///
  /// - Parameters:
  ///   - isSilentToTLS: a TLS handshake gets no answer, where it would get one in plain.
  ///   - onConnectionEnd: called after a connection has ended from either side.
  public init(
    isSilentToTLS: Bool = false, _ script: @escaping @Sendable (Exchange) -> [Step],
    onConnectionEnd: @escaping @Sendable () -> Void = {}
  ) {
    (listener, port) = bindLoopback()
    precondition(listen(listener, 128) == 0, "no listener")
    let (listener, state) = (self.listener, self.state)
    startThread(named: "test-accept") {
      while true {
        // No address is asked for.
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        let number: Int? = state.withLock { state in
          if state.isStopped { return nil }
          state.connections.insert(connection)
          state.acceptedCount += 1
          return state.acceptedCount - 1
        }
        guard let number else {
          Glibc.close(connection)
          break
        }
        startThread(named: "test-connection") {
          Self.serve(connection, number, isSilentToTLS, state, script)
          onConnectionEnd()
        }
      }
      Glibc.close(listener)
    }
  }

  /// Starts a server that answers every request with the same bytes and keeps the connection.
  public convenience init(answer: String) {
    self.init { _ in [.send(Array(answer.utf8))] }
  }

  deinit { stop() }

  /// How many connections came.
  public var acceptedCount: Int { state.withLock { $0.acceptedCount } }

  /// All requests so far, in the order in which they were read.
  public var exchanges: [Exchange] { state.withLock { $0.exchanges } }

  /// `http://127.0.0.1:PORT` and the path.
  public func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Ends all connections and listens no more.
  public func stop() {
    state.withLock { state in
      if state.isStopped { return }
      state.isStopped = true
      shutdown(listener, Int32(SHUT_RDWR))
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  /// A port on which connections are refused as long as `body` runs.
  public static func withRefusedPort<Result>(
    _ body: (UInt16) async throws -> Result
  ) async rethrows -> Result {
    // Bound and never listening: nobody else gets the port meanwhile.
    let (descriptor, port) = bindLoopback()
    defer { Glibc.close(descriptor) }
    return try await body(port)
  }

  private static func serve(
    _ connection: Int32, _ number: Int, _ isSilentToTLS: Bool, _ state: Locked<State>,
    _ script: @Sendable (Exchange) -> [Step]
  ) {
    var reader = RequestReader(descriptor: connection)
    var index = 0
    serving: while let (head, body) = reader.next() {
      let exchange = Exchange(connection: number, index: index, head: head, body: body)
      index += 1
      state.withLock { $0.exchanges.append(exchange) }
      for step in script(exchange) {
        switch step {
        case .send(let bytes):
          guard sendAll(bytes, to: connection) else { break serving }
        case .close: break serving
        case .reset:
          var option = linger(l_onoff: 1, l_linger: 0)
          // Reads the local variable only.
          unsafe setsockopt(
            connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
          break serving
        case .hold:
          reader.waitForEnd()
          break serving
        }
      }
    }
    if reader.sawTLS && isSilentToTLS {
      reader.waitForEnd()
    } else if reader.sawTLS {
      _ = sendAll(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), to: connection)
    }
    state.withLock { state in
      state.connections.remove(connection)
      // Under the lock: stop() never meets a number that is in use again.
      Glibc.close(connection)
    }
  }
}

/// Cuts the bytes of a connection into requests.
private struct RequestReader {
  let descriptor: Int32
  var sawTLS = false
  private var buffer: [UInt8] = []

  init(descriptor: Int32) { self.descriptor = descriptor }

  mutating func next() -> (head: String, body: [UInt8])? {
    var headEnd = endOfHead()
    while headEnd == nil {
      guard readMore(), buffer.first != 0x16 else {
        sawTLS = buffer.first == 0x16
        return nil
      }
      headEnd = endOfHead()
    }
    guard let headEnd else { return nil }
    let head = String(decoding: buffer[..<headEnd], as: UTF8.self)
    let length = contentLength(of: head)
    while buffer.count < headEnd + length { guard readMore() else { return nil } }
    let body = Array(buffer[headEnd..<headEnd + length])
    buffer.removeFirst(headEnd + length)
    return (head, body)
  }

  mutating func waitForEnd() { while readMore() {} }

  private mutating func readMore() -> Bool {
    var block = [UInt8](repeating: 0, count: 16_384)
    // Writes into the local array only.
    let count = unsafe read(descriptor, &block, block.count)
    guard count > 0 else { return false }
    buffer += block[..<count]
    return true
  }

  private func endOfHead() -> Int? {
    guard buffer.count >= 4 else { return nil }
    let end = (0...buffer.count - 4).first { buffer[$0..<$0 + 4].elementsEqual([13, 10, 13, 10]) }
    return end.map { $0 + 4 }
  }

  private func contentLength(of head: String) -> Int {
    for line in head.split(separator: "\r\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == "content-length" {
        return Int(parts[1].drop { $0 == " " }) ?? 0
      }
    }
    return 0
  }
}

private func sendAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    // Reads the rest of the array only; a peer that has left is an error and no signal.
    let count = unsafe rest.withUnsafeBytes { buffer in
      unsafe send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
    }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}

/// A TCP socket bound to a free port of 127.0.0.1.
private func bindLoopback() -> (descriptor: Int32, port: UInt16) {
  let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  let descriptor = socket(AF_INET, kind, 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  // sockaddr_in is the IPv4 form of sockaddr, and both calls stay within `length` bytes of it.
  let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      unsafe bind(descriptor, address, length) == 0
        && getsockname(descriptor, address, &length) == 0
    }
  }
  precondition(descriptor >= 0 && isBound, "no port on the loopback")
  return (descriptor, UInt16(bigEndian: address.sin_port))
}
