extension EventLoop {
  /// Answers with a problem document and ends the connection.
  func refuse(_ connection: Connection, _ refusal: Refusal) {
    connection.closesAfterAnswer = true
    guard
      let bytes = ResponseEncoder.encode(
        refusal.response, omitsBody: connection.omitsBody && refusal == .internalError,
        closes: true, date: date.text(at: Sockets.epochSeconds()))
    else { preconditionFailure("the listener's own answers can be sent") }
    write(bytes, to: connection)
  }

  func write(_ bytes: [UInt8], to connection: Connection) {
    connection.output = bytes[...]
    connection.phase = .writing
    connection.deadline = now + limits.writeTime.millisecondsRoundedUp
    flush(connection)
  }

  func flush(_ connection: Connection) {
    while !connection.output.isEmpty {
      switch Sockets.send(connection.socket, connection.output) {
      case .bytes(let count): connection.output.removeFirst(count)
      case .wouldBlock: return watch(connection, .writable)
      case .failed: return close(connection)
      }
    }
    connection.output = []
    if connection.closesAfterAnswer { return linger(connection) }
    connection.phase = .idle
    connection.deadline = now + limits.idleTime.millisecondsRoundedUp
    watch(connection, [.readable, .peerClosed])
    // What the peer sent behind the request is already here, and no event will tell of it.
    advance(connection)
  }

  private func linger(_ connection: Connection) {
    Sockets.endOutput(connection.socket)
    connection.phase = .lingering
    connection.decoder = RequestDecoder(limits: limits)
    connection.deadline = now + limits.lingerTime.millisecondsRoundedUp
    watch(connection, [.readable, .peerClosed])
  }

  func discardInput(_ connection: Connection) {
    switch Sockets.receive(connection.socket, into: &scratch) {
    case .bytes(0), .failed: close(connection)
    case .bytes, .wouldBlock: return
    }
  }
}
