import HTTPExchange

extension EventLoop {
  /// Takes what the peer sent; at most one buffer full, the rest at the next event.
  func receive(_ connection: Connection) {
    switch Sockets.receive(connection.socket, into: &scratch) {
    case .wouldBlock: return
    case .failed: close(connection)
    case .bytes(0):
      if connection.decoder.isIdle {
        close(connection)
      } else {
        // The rest of the request cannot come any more, but the peer may still read.
        refuse(connection, .malformedRequest)
      }
    case .bytes(let count):
      connection.decoder.append(scratch[..<count])
      advance(connection)
    }
  }

  /// Starts the next request if it is whole, else waits for more input.
  func advance(_ connection: Connection) {
    do throws(Refusal) {
      if let request = try connection.decoder.next() {
        start(request, on: connection)
      } else {
        awaitInput(connection)
      }
    } catch {
      refuse(connection, error)
    }
  }

  private func awaitInput(_ connection: Connection) {
    if connection.decoder.isInBody {
      guard connection.phase != .readingBody else { return }
      connection.phase = .readingBody
      connection.deadline = now + limits.bodyTime.millisecondsRoundedUp
      if connection.decoder.takeContinue() { sendContinue(connection) }
    } else if connection.phase == .idle, !connection.decoder.isIdle {
      connection.phase = .readingHead
      connection.deadline = now + limits.headTime.millisecondsRoundedUp
    }
  }

  private func sendContinue(_ connection: Connection) {
    let line = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
    // Nothing else is on its way, so a kernel that does not take these bytes has lost the peer.
    guard Sockets.send(connection.socket, line[...]) == .bytes(line.count) else {
      return close(connection)
    }
  }

  private func start(_ request: DecodedRequest, on connection: Connection) {
    let head = request.head
    connection.phase = .handling
    connection.deadline = .max
    connection.omitsBody = head.method == "HEAD"
    connection.closesAfterAnswer = !head.isPersistent
    let incoming = HTTPRequest(
      method: head.method, target: head.target, headers: head.headers, body: request.body,
      peer: connection.peer)
    if lateness.isTooLong, handler.isDeferrable(incoming) {
      observe(.deferred)
      return mailbox.answer(connection.id, Refusal.unavailable.response)
    }
    // Runs here until the handler first waits: most answers then need no change of thread. An
    // answer always goes through the mailbox, so the task is on record before it can end.
    let preference = handler.isBrief(incoming) ? executor : nil
    tasks[connection.id] = Task.immediate(executorPreference: preference) {
      [id = connection.id, handler, mailbox] in
      mailbox.answer(id, await handler.respond(to: incoming))
    }
  }

  /// A handler has ended, or the request was refused without one.
  func finish(_ id: UInt64, _ response: HTTPResponse) {
    let hadHandler = tasks.removeValue(forKey: id) != nil
    guard let connection = connections[id] else {
      if hadHandler { departedCount -= 1 }
      return
    }
    if stage != .serving { connection.closesAfterAnswer = true }
    if case .draining = stage { report.answered += 1 }
    guard
      let bytes = ResponseEncoder.encode(
        response, omitsBody: connection.omitsBody, closes: connection.closesAfterAnswer,
        date: date.text(at: Sockets.epochSeconds()))
    else {
      log("answer withheld: its status or header fields must not be sent")
      return refuse(connection, .internalError)
    }
    write(bytes, to: connection)
  }
}
