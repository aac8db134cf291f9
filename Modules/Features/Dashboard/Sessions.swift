import KitEnvironment
import PaymentModels

/// Who is signed in. Sessions live in memory alone: a restart ends them all.
actor Sessions {
  /// A browser that an operator has signed in with.
  struct Session: Sendable {
    /// Whose it is.
    let name: OperatorName
    /// The key that was given: each action is done with it, as if it had come with the request.
    let key: Secret
    /// What each form sends along.
    let formToken: Secret
    let startedAt: Duration
    var usedAt: Duration
  }

  /// Sessions at once. A shop's staff has fewer; beyond, the one that rested longest ends.
  static let sessionsMax = 200
  /// From the sign-in on: a working day.
  static let life: Duration = .seconds(12 * 3_600)
  /// Without a request of a person.
  static let idle: Duration = .seconds(2 * 3_600)

  private let environment: KitEnvironment
  /// By the hash of the id, so that looking one up tells nothing of another.
  private var sessions: [String: Session] = [:]

  init(environment: KitEnvironment) { self.environment = environment }

  /// Signs in; the id goes into the cookie.
  func open(_ name: OperatorName, _ key: Secret) -> Secret {
    let now = environment.clock.uptime()
    sessions = sessions.filter { Self.isAlive($0.value, now) }
    if sessions.count >= Self.sessionsMax {
      let oldest = sessions.min { ($0.value.usedAt, $0.key) < ($1.value.usedAt, $1.key) }
      if let oldest { sessions[oldest.key] = nil }
    }
    let id = makeToken()
    sessions[hash(id)] = Session(
      name: name, key: key, formToken: makeToken(), startedAt: now, usedAt: now)
    return id
  }

  /// The session of a cookie, if it has not run out.
  ///
  /// - Parameter isUse: whether a person asks. A page that is left open asks by itself, which keeps
  ///   no session alive.
  func session(_ id: Secret, isUse: Bool = true) -> Session? {
    let (now, key) = (environment.clock.uptime(), hash(id))
    guard var session = sessions[key], Self.isAlive(session, now) else {
      sessions[key] = nil
      return nil
    }
    if isUse { session.usedAt = now }
    sessions[key] = session
    return session
  }

  /// Signs out.
  func close(_ id: Secret) { sessions[hash(id)] = nil }

  /// Sessions that are kept.
  var count: Int { sessions.count }

  private static func isAlive(_ session: Session, _ now: Duration) -> Bool {
    now - session.startedAt < life && now - session.usedAt < idle
  }

  private func hash(_ id: Secret) -> String {
    hexText(environment.hashing.sha256(Array(id.reveal().utf8)))
  }

  /// 256 random bits as text.
  private func makeToken() -> Secret {
    var bytes: [UInt8] = []
    for _ in 0..<4 {
      let word = environment.random.next()
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
    return Secret(hexText(bytes))
  }
}
