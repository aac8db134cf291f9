import HTTPExchange

/// The thread of a listener: waits for events, moves connections through their phases.
///
/// Not Sendable: made and used on its one thread. Handlers run as tasks that know nothing of it
/// but the mailbox, and connections go by ids that are never used twice, so a late answer or a
/// stale event finds nothing rather than somebody else's connection.
final class EventLoop {
  static let wakeupID = UInt64.max
  static let listeningID = UInt64.max - 1
  /// How long accepting rests when descriptors have run out: the listening socket stays readable
  /// meanwhile, and asking again at once would spin.
  static let acceptRestMilliseconds: UInt64 = 100
  /// Looks at the mail before connections have their turn: handlers that always have a next step
  /// would keep them waiting for ever.
  static let mailRoundsMax = 32

  enum Stage: Equatable {
    case serving
    /// In-flight requests may end until then.
    case draining(until: UInt64)
    /// Handlers were cancelled and may still answer until then.
    case cancelled(until: UInt64)
  }

  let limits: HTTPListenerLimits
  let handler: any HTTPHandler
  let log: @Sendable (String) -> Void
  let observe: @Sendable (ListenerEvent) -> Void
  let mailbox: Mailbox
  let executor: LoopExecutor
  let poll: Descriptor
  let wakeup: Descriptor
  /// Nil once new connects are refused.
  var listening: Descriptor?

  var connections: [UInt64: Connection] = [:]
  var connectionsByNetwork: [UInt64: Int] = [:]
  /// Handlers that have not ended, by the id of their connection, also after that has closed.
  var tasks: [UInt64: Task<Void, Never>] = [:]
  /// How many of ``tasks`` have no connection any more.
  var departedCount = 0
  var lastID: UInt64 = 0
  var stage = Stage.serving
  var report = DrainReport()
  var now = Sockets.uptimeMilliseconds()
  var acceptsAgainAt: UInt64?
  /// Whether the last connect was at the limit, or met no free descriptor; told when it begins.
  var isFull = false
  var isExhausted = false
  var lateness: Lateness
  var date = DateField()
  /// Every read lands here first, so that connections without input own no memory for it.
  var scratch: [UInt8]
  private var mail = Mailbox.Mail()

  private var nextSweep: UInt64 = 0
  private let sweepMilliseconds: UInt64

  init(_ resources: ListenerResources) {
    limits = resources.limits
    lateness = Lateness(max: limits.latenessMax, now: now)
    handler = resources.handler
    log = resources.log
    observe = resources.observe
    mailbox = resources.mailbox
    executor = LoopExecutor(resources.mailbox)
    poll = resources.poll
    wakeup = resources.wakeup
    listening = resources.listening
    scratch = [UInt8](repeating: 0, count: limits.readAheadBytesMax)
    // Deadlines are met within a quarter of the shortest, and within 250 ms.
    let times = [
      limits.headTime, limits.bodyTime, limits.idleTime, limits.writeTime, limits.lingerTime,
      limits.cancelTime,
    ].map(\.millisecondsRoundedUp)
    sweepMilliseconds = times.reduce(250) { min($0, max(1, $1 / 4)) }
    Sockets.watch(poll, wakeup, .readable, id: Self.wakeupID)
    if let listening { Sockets.watch(poll, listening, .readable, id: Self.listeningID) }
  }

  /// Serves until a drain has ended.
  func run() -> DrainReport {
    while true {
      now = Sockets.uptimeMilliseconds()
      let isRead = readMail()
      sweepIfDue()
      if isDone { break }
      let began = Sockets.uptimeMilliseconds()
      let events = Sockets.wait(poll, milliseconds: isRead ? pause : 0)
      mailbox.awake()
      now = Sockets.uptimeMilliseconds()
      lateness.looked(began: began, ended: now, sawAll: events.count < Sockets.eventsMax)
      for event in events { handle(event) }
    }
    for job in mailbox.close() { LoopExecutor.runElsewhere(job) }
    return report
  }

  /// Reads until no mail is left: an answer lets the next request of its connection start, which
  /// may be answered at once. False if it left off before.
  private func readMail() -> Bool {
    for _ in 0..<Self.mailRoundsMax {
      mailbox.collect(into: &mail)
      if mail.isEmpty { return true }
      // The executor lives as long as the loop.
      for job in mail.jobs { unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
      for answer in mail.answers { finish(answer.connection, answer.response) }
      if let grace = mail.drainGrace { drain(grace: grace) }
      mail.empty()
    }
    return false
  }

  private var isDone: Bool {
    stage != .serving && connections.isEmpty && tasks.isEmpty
  }

  /// How long to wait for events: for ever if nothing has a deadline.
  private var pause: Int32 {
    let isQuiet = connections.isEmpty && stage == .serving && acceptsAgainAt == nil
    return isQuiet ? -1 : Int32(nextSweep > now ? nextSweep - now : 0)
  }

  private func handle(_ event: Sockets.Event) {
    switch event.id {
    case Self.wakeupID: Sockets.clear(wakeup)
    case Self.listeningID: acceptAll()
    default:
      // Gone if an earlier event of the same batch closed it.
      guard let connection = connections[event.id] else { return }
      handle(event, on: connection)
    }
  }

  private func handle(_ event: Sockets.Event, on connection: Connection) {
    if event.isBroken { return close(connection) }
    switch connection.phase {
    case .idle, .readingHead, .readingBody: receive(connection)
    case .handling:
      // A peer that ends its input while it waits counts as gone.
      if event.isPeerClosed { return close(connection) }
      watch(connection, .peerClosed)
    case .writing: flush(connection)
    case .lingering: discardInput(connection)
    }
  }

  /// Changes what a connection is watched for, if it is something else.
  func watch(_ connection: Connection, _ interest: Sockets.Interest) {
    guard connection.interest != interest else { return }
    connection.interest = interest
    Sockets.rewatch(poll, connection.socket, interest, id: connection.id)
  }

  /// Forgets a connection, which closes its socket, and cancels its handler.
  func close(_ connection: Connection) {
    guard connections.removeValue(forKey: connection.id) != nil else { return }
    observe(.closed)
    if let task = tasks[connection.id] {
      task.cancel()
      departedCount += 1
    }
    let count = connectionsByNetwork[connection.network, default: 1] - 1
    connectionsByNetwork[connection.network] = count > 0 ? count : nil
  }

  private func sweepIfDue() {
    guard now >= nextSweep else { return }
    nextSweep = now + sweepMilliseconds
    resumeAcceptingIfDue()
    endStageIfDue()
    for connection in connections.values.filter({ $0.deadline <= now }) { expire(connection) }
  }

  private func expire(_ connection: Connection) {
    switch connection.phase {
    case .readingHead, .readingBody: refuse(connection, .requestTimeout)
    case .idle, .lingering: close(connection)
    case .writing:
      Sockets.dropOutputOnClose(connection.socket)
      close(connection)
    case .handling: preconditionFailure("a running handler has no deadline")
    }
  }
}
