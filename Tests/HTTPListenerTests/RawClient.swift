import Glibc
import SystemRuntime

/// A blocking TCP client that sends any bytes, also those that no HTTP client would.
///
/// Its calls block, so they belong on a thread of their own: see ``onThread(_:)``.
final class RawClient: Sendable {
  private let socket: Int32

  /// Makes a socket that is not connected.
  init(isIPv6: Bool = false) {
    // Not inherited by the processes of exit tests, which count their own.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    socket = Glibc.socket(isIPv6 ? AF_INET6 : AF_INET, kind, 0)
    // Longer than a loaded machine may take to start the listener; no good answer waits for it.
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    // The pointer is used during the call only.
    unsafe setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Connects to a numeric address of this machine; nil if that is refused.
  convenience init?(port: UInt16, address: String = "127.0.0.1", from source: String? = nil) {
    self.init(isIPv6: address.contains(":"))
    if let source { bind(source) }
    // deinit closes the socket in this case too.
    guard connect(port: port, address: address) else { return nil }
  }

  /// The number of the socket.
  var descriptor: Int32 { socket }

  deinit { close(socket) }

  /// Connects to a numeric address of this machine.
  func connect(port: UInt16, address: String = "127.0.0.1") -> Bool {
    if address.contains(":") {
      var target = sockaddr_in6()
      target.sin6_family = sa_family_t(AF_INET6)
      target.sin6_port = port.bigEndian
      // The pointers are used during each call only.
      unsafe inet_pton(AF_INET6, address, &target.sin6_addr)
      return unsafe Self.withAddress(&target) { unsafe Glibc.connect(socket, $0, $1) } == 0
    }
    var target = Self.address(address, port: port)
    return unsafe Self.withAddress(&target) { unsafe Glibc.connect(socket, $0, $1) } == 0
  }

  private func bind(_ text: String) {
    var source = Self.address(text, port: 0)
    // The pointer is used during the call only.
    _ = unsafe Self.withAddress(&source) { unsafe Glibc.bind(socket, $0, $1) }
  }

  private static func address(_ text: String, port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    // The pointer is used during the call only.
    unsafe inet_pton(AF_INET, text, &address.sin_addr)
    return address
  }

  private static func withAddress<Address>(
    _ address: UnsafePointer<Address>, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    // Address is sockaddr_in or sockaddr_in6, whose start is a sockaddr.
    unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe body($0, socklen_t(MemoryLayout<Address>.size))
    }
  }

  /// Sends all bytes; false if the peer has closed.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      // The buffer is as long as its count and is used during the call only.
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(socket, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest.removeFirst(count)
    }
    return true
  }

  /// Sends a text.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Ends the output; answers can still be read.
  func endOutput() { shutdown(socket, Int32(SHUT_WR)) }

  /// Makes closing send a reset, as a peer does that has crashed.
  func resetOnClose() {
    var setting = linger(l_onoff: 1, l_linger: 0)
    // The pointer is used during the call only.
    unsafe setsockopt(
      socket, SOL_SOCKET, SO_LINGER, &setting, socklen_t(MemoryLayout<linger>.size))
  }

  /// The next bytes; empty at the end or after a reset.
  func receive() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    // The buffer is as long as its count and is used during the call only.
    let count = unsafe buffer.withUnsafeMutableBytes {
      unsafe recv(socket, $0.baseAddress!, $0.count, 0)
    }
    return Array(buffer.prefix(max(0, count)))
  }

  /// Whether there is something to receive, or the end, within a time.
  func isReadable(afterMilliseconds: Int32) -> Bool {
    events(Int16(POLLIN), milliseconds: afterMilliseconds) != 0
  }

  /// Waits, without reading, until the peer has reset the connection; false if it does not.
  func untilBroken() -> Bool {
    events(0, milliseconds: 120_000) & Int16(POLLERR | POLLHUP) != 0
  }

  private func events(_ wanted: Int16, milliseconds: Int32) -> Int16 {
    var entry = pollfd(fd: socket, events: wanted, revents: 0)
    // The pointer is used during the call only.
    unsafe poll(&entry, 1, milliseconds)
    return entry.revents
  }

  /// Everything until the peer closes.
  func receiveAll() -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let more = receive()
      if more.isEmpty { return bytes }
      bytes += more
    }
  }

  /// Everything until `count` answers are complete or the peer closes.
  func receiveAnswers(_ count: Int, isHEAD: Bool = false) -> [Answer] {
    var bytes: [UInt8] = []
    while true {
      let answers = Answer.parse(bytes, isHEAD: isHEAD).answers
      if answers.count >= count { return answers }
      let more = receive()
      if more.isEmpty { return answers }
      bytes += more
    }
  }
}

/// An answer as it stood on the wire.
struct Answer: Hashable {
  var status: Int
  var head: String
  var body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }
  var closes: Bool { head.contains("\r\nConnection: close") }

  /// The complete answers in `bytes`, and how many bytes they took.
  static func parse(_ bytes: [UInt8], isHEAD: Bool = false) -> (answers: [Answer], used: Int) {
    var answers: [Answer] = []
    var rest = bytes[...]
    while let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) {
      let head = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
      let lines = head.split(separator: "\r\n")
      let length =
        lines.compactMap { line -> Int? in
          line.hasPrefix("Content-Length: ") ? Int(line.dropFirst(16)) : nil
        }.first ?? 0
      let body = rest[end.upperBound...].prefix(isHEAD ? 0 : length)
      guard isHEAD || body.count == length else { break }
      answers.append(
        Answer(status: Int(head.dropFirst(9).prefix(3)) ?? 0, head: head, body: Array(body)))
      rest = rest[body.endIndex...]
    }
    return (answers, bytes.count - rest.count)
  }
}

/// Runs blocking work on a thread of its own.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    startThread(named: "test-client") { continuation.resume(returning: body()) }
  }
}
