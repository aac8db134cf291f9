extension EventLoop {
  /// Connects taken in one go, so that a flood of them does not starve those that are open.
  private static let acceptsAtOnceMax = 256

  func acceptAll() {
    for _ in 0..<Self.acceptsAtOnceMax {
      guard let listening else { return }
      switch Sockets.accept(listening) {
      case .peer(let socket, let address, let network):
        isExhausted = false
        admit(socket, address, network)
      case .none: return
      case .exhausted:
        if !isExhausted { log("accept: out of file descriptors or memory, new connects wait") }
        isExhausted = true
        observe(.exhausted)
        acceptsAgainAt = now + Self.acceptRestMilliseconds
        Sockets.rewatch(poll, listening, [], id: Self.listeningID)
        return
      }
    }
  }

  func resumeAcceptingIfDue() {
    guard let time = acceptsAgainAt, time <= now else { return }
    acceptsAgainAt = nil
    if let listening { Sockets.rewatch(poll, listening, .readable, id: Self.listeningID) }
  }

  private func admit(_ socket: Descriptor, _ address: String, _ network: UInt64) {
    // Handlers that outlive their connection count as one, else hanging up would evade the limit.
    let isFull = connections.count + departedCount >= limits.connectionsMax
    if isFull, !self.isFull { log("accept: at the limit of connections, new connects are refused") }
    self.isFull = isFull
    let fromThere = connectionsByNetwork[network, default: 0]
    guard !isFull, fromThere < limits.connectionsPerAddressMax else {
      observe(isFull ? .refused : .refusedAddress)
      turnAway(socket)
      return
    }
    lastID += 1
    connectionsByNetwork[network] = fromThere + 1
    let connection = Connection(
      id: lastID, socket: socket, peer: address, network: network, limits: limits,
      deadline: now + limits.headTime.millisecondsRoundedUp)
    connections[lastID] = connection
    observe(.opened)
    Sockets.watch(poll, socket, connection.interest, id: lastID)
  }

  /// Says why, if the kernel takes it at once, and closes: nothing may be kept for this peer.
  private func turnAway(_ socket: Descriptor) {
    guard
      let bytes = ResponseEncoder.encode(
        Refusal.unavailable.response, omitsBody: false, closes: true,
        date: date.text(at: Sockets.epochSeconds()))
    else { return }
    _ = Sockets.send(socket, bytes[...])
    Sockets.endOutput(socket)
  }
}
