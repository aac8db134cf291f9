extension EventLoop {
  /// Refuses new connects, closes what is idle, and lets the rest end within `grace`.
  func drain(grace: Duration) {
    let until = now + grace.millisecondsRoundedUp
    switch stage {
    case .cancelled: return
    case .draining(let earlier): stage = .draining(until: min(earlier, until))
    case .serving:
      // Those that connected, and requests that were sent, before this moment are served.
      acceptAll()
      if let listening { Sockets.endListening(listening) }
      listening = nil
      stage = .draining(until: until)
      for connection in connections.values where connection.phase == .idle { receive(connection) }
      for connection in connections.values where connection.phase == .idle { close(connection) }
    }
    endStageIfDue()
  }

  func endStageIfDue() {
    switch stage {
    case .draining(let until) where until <= now: cancelHandlers()
    case .cancelled(let until) where until <= now: abandonHandlers()
    case .serving, .draining, .cancelled: return
    }
  }

  private func cancelHandlers() {
    stage = .cancelled(until: now + limits.cancelTime.millisecondsRoundedUp)
    for connection in connections.values {
      switch connection.phase {
      case .idle, .readingHead, .readingBody: close(connection)
      case .handling, .writing, .lingering: continue
      }
    }
    report.cancelled = tasks.count
    for task in tasks.values { task.cancel() }
  }

  private func abandonHandlers() {
    report.abandoned = tasks.count
    for connection in connections.values { close(connection) }
    tasks = [:]
  }
}
