/// One accepted connection; only the loop's thread touches it.
final class Connection {
  enum Phase: Hashable {
    /// No byte of a request has come.
    case idle
    case readingHead
    case readingBody
    /// A handler runs. Nothing is read, so a waiting request costs no buffer.
    case handling
    /// The peer has not taken the whole answer.
    case writing
    /// The last answer is out and the peer has not closed.
    case lingering
  }

  let id: UInt64
  let socket: Descriptor
  /// Address of the peer, as text.
  let peer: String
  /// What connections are counted by.
  let network: UInt64
  var phase = Phase.idle
  var decoder: RequestDecoder
  /// Uptime in milliseconds at which the phase has lasted too long.
  var deadline: UInt64
  var interest: Sockets.Interest = [.readable, .peerClosed]
  var omitsBody = false
  var closesAfterAnswer = false
  /// The part of an answer that the kernel has not taken.
  var output: ArraySlice<UInt8> = []

  init(
    id: UInt64, socket: Descriptor, peer: String, network: UInt64, limits: HTTPListenerLimits,
    deadline: UInt64
  ) {
    self.id = id
    self.socket = socket
    self.peer = peer
    self.network = network
    self.deadline = deadline
    decoder = RequestDecoder(limits: limits)
  }
}
