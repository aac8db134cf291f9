import KitEnvironment
import PaymentModels
import ProviderInterface

/// Reads of one account in the last minute: never more than it is granted, and never all of them
/// for one use.
///
/// Each use may take whatever the others leave, and the others' least share stays theirs. So
/// payers who ask all the time do not stop the schedule, and a backlog of slow reads, as after an
/// outage, keeps no payer waiting.
struct ReadBudget {
  /// What a read is for.
  enum Use: CaseIterable {
    /// A payer, a webhook or a person asked.
    case asked
    /// A payment whose end is not known is due.
    case live
    /// A payment that is over is looked at for what comes late, or a book is compared.
    case slow

    /// The least share, as a part of the whole.
    var part: Int {
      switch self {
      case .asked: 5
      case .live: 10
      case .slow: 20
      }
    }
  }

  static let window: Duration = .seconds(60)

  /// Reads within any minute.
  let limit: Int
  private let began: Duration
  /// Oldest first; nothing older than a minute.
  private var spent: [(at: Duration, use: Use)] = []
  private var toldAt: Duration?

  /// A budget that is used from now on, by uptime.
  init(limit: Int, at uptime: Duration) {
    precondition(limit > 0, "an account without reads is never known")
    self.limit = limit
    began = uptime
  }

  /// Reads that may begin now for a use.
  mutating func room(for use: Use, at uptime: Duration) -> Int {
    spent.removeFirst(spent.prefix { uptime - $0.at >= Self.window }.count)
    let owed = Use.allCases.filter { $0 != use }.reduce(0) { sum, other in
      sum + max(0, limit / other.part - spent.count { $0.use == other })
    }
    return max(0, grown(uptime) - spent.count - owed)
  }

  /// Takes one read if there is room.
  mutating func take(_ use: Use, at uptime: Duration) -> Bool {
    guard room(for: use, at: uptime) > 0 else { return false }
    spent.append((uptime, use))
    return true
  }

  /// Counts calls that a read needed beyond its first.
  mutating func add(_ calls: Int, for use: Use, at uptime: Duration) {
    spent += Array(repeating: (uptime, use), count: max(0, calls))
  }

  /// Whether nobody was told within a minute that there is no room.
  mutating func mayTell(at uptime: Duration) -> Bool {
    if let toldAt, uptime - toldAt < Self.window { return false }
    toldAt = uptime
    return true
  }

  /// What the process before this one used up is not known: a start begins with half, and has all
  /// after a minute.
  private func grown(_ uptime: Duration) -> Int {
    let age = min(Self.window, uptime - began) / .milliseconds(1)
    return limit - Int(Double(limit / 2) * (1 - age / 60_000))
  }
}

extension StatusSync {
  /// Whether a read of the account may begin now for a use; it is counted then.
  func takeRead(_ use: ReadBudget.Use, of account: AccountKey) -> Bool {
    budgets[account, default: newBudget(account)].take(use, at: environment.clock.uptime())
  }

  /// Reads of the account that may begin now for a use.
  func readRoom(_ use: ReadBudget.Use, of account: AccountKey) -> Int {
    budgets[account, default: newBudget(account)].room(for: use, at: environment.clock.uptime())
  }

  /// Counts calls that reads of the account needed beyond their first.
  func addReads(_ calls: Int, of account: AccountKey) {
    budgets[account, default: newBudget(account)].add(
      calls, for: .asked, at: environment.clock.uptime())
  }

  /// Tells that what is due waits for the next minute, once in a minute.
  func tellNoRoom(_ account: AccountKey) {
    let uptime = environment.clock.uptime()
    guard budgets[account, default: newBudget(account)].mayTell(at: uptime) else { return }
    environment.log(
      .warning, "an account's reads of a minute are used up",
      ("provider", account.provider.rawValue), ("account", account.account.rawValue))
  }

  /// Waits for room, so long that whoever compares the books still gets an answer.
  func awaitRead(_ use: ReadBudget.Use, of account: AccountKey) async throws -> Bool {
    let end = environment.clock.uptime() + settings.reconcile.pageTime
    while !takeRead(use, of: account) {
      guard environment.clock.uptime() < end else { return false }
      try await environment.clock.sleep(for: .seconds(1))
    }
    return true
  }

  private func newBudget(_ account: AccountKey) -> ReadBudget {
    let granted = providers.account(of: account.provider, account.account)?.capabilities
      .readsPerMinute
    return ReadBudget(
      limit: settings.readsPerMinute[account] ?? granted ?? settings.readsPerMinuteUsual,
      at: startedAt)
  }
}
