private import CTillSockets
private import Glibc

/// The system calls of the listener, with errors as values and no pointer in a signature.
enum Sockets {
  /// Connects that wait for accept; the kernel cuts it to net.core.somaxconn.
  private static let backlog: Int32 = 4096

  /// Events that one wait tells at the most.
  static let eventsMax = Int(TILL_EVENTS_MAX)

  /// A result that is a count or a failure.
  enum Transfer: Equatable {
    case bytes(Int)
    /// Nothing now; the kernel will tell.
    case wouldBlock
    case failed
  }

  enum Acceptance {
    case peer(Descriptor, address: String, network: UInt64)
    case none
    /// The process or the system is out of descriptors or memory.
    case exhausted
  }

  struct Event {
    let id: UInt64
    let isPeerClosed: Bool
    let isBroken: Bool
  }

  /// What a descriptor is watched for; a break of the connection is always told.
  struct Interest: OptionSet {
    let rawValue: UInt32
    static let readable = Interest(rawValue: UInt32(TILL_READABLE))
    static let writable = Interest(rawValue: UInt32(TILL_WRITABLE))
    static let peerClosed = Interest(rawValue: UInt32(TILL_PEER_CLOSED))
  }

  /// Milliseconds of a clock that only goes forward.
  static func uptimeMilliseconds() -> UInt64 {
    var time = timespec()
    // The pointer is used during the call only.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
  }

  /// Seconds since 1970, for the Date field.
  static func epochSeconds() -> Int { time(nil) }

  static func listen(
    _ address: String, _ port: UInt16
  ) throws(HTTPListenerError) -> (Descriptor, port: UInt16) {
    var bound: UInt16 = 0
    // The pointers are used during the call only.
    let result = unsafe till_listen(address, port, backlog, &bound)
    guard result >= 0 else { throw HTTPListenerError(errorNumber: -result) }
    return (Descriptor(result), bound)
  }

  static func makePoll() throws(HTTPListenerError) -> Descriptor {
    let number = epoll_create1(Int32(TILL_CLOSE_ON_EXEC))
    guard number >= 0 else { throw HTTPListenerError(errorNumber: errno) }
    return Descriptor(number)
  }

  static func makeWakeup() throws(HTTPListenerError) -> Descriptor {
    let number = eventfd(0, Int32(TILL_WAKEUP_FLAGS))
    guard number >= 0 else { throw HTTPListenerError(errorNumber: errno) }
    return Descriptor(number)
  }

  static func accept(_ listening: Descriptor) -> Acceptance {
    // Peers that reset in the backlog are passed over, at most as many as one wait reports.
    for _ in 0..<eventsMax {
      var network: UInt64 = 0
      var text = [CChar](repeating: 0, count: Int(TILL_ADDRESS_TEXT_MAX))
      // `text` is as long as the shim writes; both pointers are used during the call only.
      let result = unsafe till_accept(listening.number, &text, &network)
      if result >= 0 {
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return .peer(
          Descriptor(result), address: String(decoding: bytes, as: UTF8.self), network: network)
      }
      switch -result {
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
      case ECONNABORTED, EINTR, EPROTO: continue
      default: return .none
      }
    }
    return .none
  }

  static func watch(_ poll: Descriptor, _ target: Descriptor, _ interest: Interest, id: UInt64) {
    control(poll, Int32(TILL_WATCH_ADD), target, interest, id)
  }

  static func rewatch(_ poll: Descriptor, _ target: Descriptor, _ interest: Interest, id: UInt64) {
    control(poll, Int32(TILL_WATCH_CHANGE), target, interest, id)
  }

  private static func control(
    _ poll: Descriptor, _ operation: Int32, _ target: Descriptor, _ interest: Interest, _ id: UInt64
  ) {
    let result = till_epoll_set(poll.number, operation, target.number, interest.rawValue, id)
    // ENOMEM and ENOSPC (the limit on watches) leave a descriptor unwatched; its deadline ends it.
    precondition(
      result == 0 || result == -ENOMEM || result == -ENOSPC, "epoll refused a descriptor of ours")
  }

  /// Waits for events; `milliseconds` -1 waits for ever.
  static func wait(_ poll: Descriptor, milliseconds: Int32) -> [Event] {
    // The shim fills at most TILL_EVENTS_MAX elements and reports how many.
    let events = unsafe [till_event](unsafeUninitializedCapacity: eventsMax) {
      buffer, count in
      guard let start = buffer.baseAddress else { return }
      let result = unsafe till_epoll_wait(poll.number, start, milliseconds)
      precondition(result >= 0 || result == -EINTR, "epoll refused to wait")
      count = max(0, Int(result))
    }
    return events.map { event in
      let flags = event.events
      return Event(
        id: event.id, isPeerClosed: flags & UInt32(TILL_PEER_CLOSED) != 0,
        isBroken: flags & UInt32(TILL_BROKEN) != 0)
    }
  }

  /// Fills `scratch` from its start; `.bytes(0)` is the end of the peer's input.
  static func receive(_ socket: Descriptor, into scratch: inout [UInt8]) -> Transfer {
    // The buffer is as long as `count` says and is used during the call only.
    transfer(
      unsafe scratch.withUnsafeMutableBytes {
        guard let start = $0.baseAddress else { return -Int(EINVAL) }
        return unsafe till_receive(socket.number, start, $0.count)
      })
  }

  static func send(_ socket: Descriptor, _ bytes: ArraySlice<UInt8>) -> Transfer {
    // The buffer is as long as `count` says and is used during the call only.
    transfer(
      unsafe bytes.withUnsafeBytes {
        guard let start = $0.baseAddress else { return 0 }
        return unsafe till_send(socket.number, start, $0.count)
      })
  }

  private static func transfer(_ result: Int) -> Transfer {
    switch Int32(result) {
    case 0...: .bytes(result)
    case -EAGAIN, -EINTR: .wouldBlock
    default: .failed
    }
  }

  /// Tells the peer that no more comes; its own direction stays open.
  static func endOutput(_ socket: Descriptor) {
    // Fails only if the peer has gone, which the next event tells.
    _ = shutdown(socket.number, Int32(SHUT_WR))
  }

  /// Lets the kernel throw away, on close, what the peer has not taken; else it would keep those
  /// bytes for minutes for a peer that takes nothing.
  static func dropOutputOnClose(_ socket: Descriptor) {
    var setting = linger(l_onoff: 1, l_linger: 0)
    // The pointer is used during the call only, which cannot fail on a TCP socket.
    unsafe setsockopt(
      socket.number, SOL_SOCKET, SO_LINGER, &setting, socklen_t(MemoryLayout<linger>.size))
  }

  /// Lets the kernel refuse connects from now on, whoever still holds the descriptor.
  static func endListening(_ listening: Descriptor) {
    // Cannot fail on a listening socket.
    _ = shutdown(listening.number, Int32(SHUT_RDWR))
  }

  static func signal(_ wakeup: Descriptor) {
    // Fails only when the counter is full, and then the loop is already being woken.
    _ = eventfd_write(wakeup.number, 1)
  }

  static func clear(_ wakeup: Descriptor) {
    var count: UInt64 = 0
    // The pointer is used during the call only; without a signal there is nothing to clear.
    _ = unsafe eventfd_read(wakeup.number, &count)
  }
}
