/// Bounds on what peers may make an ``HTTPListener`` hold or wait for.
///
/// Each bound is inclusive: a value at the bound is served, one more is refused. At worst peers
/// make the listener hold ``connectionsMax`` unfinished requests of ``headBytesMax`` and
/// ``bodyBytesMax``.
public struct HTTPListenerLimits: Sendable, Hashable {
  /// Bytes of a request target; longer is answered 414. Two thousand is what browsers and proxies
  /// carry in practice.
  public var targetBytesMax = 2048
  /// Bytes of request line and header fields; longer is answered 431.
  public var headBytesMax = 16 * 1024
  /// Header fields of a request; more are answered 431.
  public var headerCountMax = 64
  /// Bytes of a request body; longer is answered 413, before `100 Continue`. A checkout of two
  /// hundred lines fits twice.
  public var bodyBytesMax = 64 * 1024
  /// Open connections in total; further ones are answered 503. Each takes a file descriptor, so
  /// the process's own limit on those must be higher.
  public var connectionsMax = 10_000
  /// Open connections of one IPv4 address or one IPv6 /64; further ones are answered 503. As high
  /// as the total unless told, since behind a proxy all peers have the proxy's address.
  public var connectionsPerAddressMax = 10_000
  /// Bytes read ahead: what a peer may send behind the request that is being answered, before
  /// its further bytes stay in the kernel, whose flow control then slows the peer.
  public var readAheadBytesMax = 16 * 1024
  /// From the first byte of a request, or from the connect, to the end of its header fields.
  public var headTime: Duration = .seconds(10)
  /// From the end of the header fields to the end of the body.
  public var bodyTime: Duration = .seconds(30)
  /// Between the end of an answer and the first byte of the next request.
  public var idleTime: Duration = .seconds(60)
  /// For the peer to take a whole answer.
  public var writeTime: Duration = .seconds(30)
  /// For the peer to close, after an answer that ends the connection. Its input is thrown away
  /// meanwhile: closing with unread input would make the kernel drop the answer.
  public var lingerTime: Duration = .seconds(1)
  /// For handlers to answer once they were cancelled at the end of a drain's grace.
  public var cancelTime: Duration = .seconds(2)

  /// How long requests may wait until they are looked at. While it is longer, those that the
  /// handler calls deferrable are refused with 503, after which a device asks again. Ten thousand
  /// that come at one moment, as after a restart, are looked at in half of it. Zero refuses always.
  public var latenessMax: Duration = .seconds(1)

  /// The bounds as documented on each property.
  public init() {}
}

extension Duration {
  /// Whole milliseconds, rounded up, so that a short bound never becomes none.
  var millisecondsRoundedUp: UInt64 {
    let (seconds, attoseconds) = components
    precondition(seconds >= 0 && attoseconds >= 0, "a bound in time is not negative")
    let perMillisecond: Int64 = 1_000_000_000_000_000
    return UInt64(seconds) * 1000 + UInt64((attoseconds + perMillisecond - 1) / perMillisecond)
  }
}
