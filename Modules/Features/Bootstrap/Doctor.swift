import HTTPExchange
import KitEnvironment
import MerchantCommands
import PaymentModels
import PaymentStore
import ProviderInterface
import SQLitePaymentStore
import SystemRuntime

/// Looks at what a server needs and says what to do next. It changes nothing.
struct Doctor: Sendable {
  let configuration: ServerConfiguration
  let transport: any HTTPTransport
  let environment: KitEnvironment
  let asksProviders: Bool

  /// A log that grows past this is not emptied any more: somebody reads for ever.
  static let walWarnBytes: Int64 = 64 << 20
  /// Room for the log, a checkpoint and some days.
  static let roomWarnBytes: Int64 = 1 << 30
  /// The server is not ready below this.
  static let roomFailBytes: Int64 = 64 << 20
  /// What is due is taken within seconds; later than this, nobody takes it.
  static let overdueWarn: Duration = .seconds(600)
  static let overdueFail: Duration = .seconds(3_600)
  /// Payers open their apps every week or two, and get a new token then.
  static let tokenWarn: Duration = .seconds(14 * 86_400)
  /// Signatures of webhooks bear times, and allow five minutes.
  static let skewWarn: Duration = .seconds(10)
  static let skewFail: Duration = .seconds(120)

  func checks() async -> [DoctorCheck] {
    var checks = [
      DoctorCheck(
        "settings", .ok,
        "\(configuration.accountKeys.count) accounts, every secret is there and readable")
    ]
    let (store, isCurrent) = storeChecks()
    checks += store
    if isCurrent { checks += ageChecks() + removedAccountChecks() }
    checks += [tokenCheck(), roomCheck()]
    checks += await serverChecks()
    checks += await providerChecks(readsStore: isCurrent)
    return checks
  }

  // MARK: The store

  private func storeChecks() -> (checks: [DoctorCheck], isCurrent: Bool) {
    let path = configuration.database
    guard Files.exists(path) else {
      let check = DoctorCheck(
        "store", .warn, "there is none at \(path)", advice: "till-server makes it at its start")
      return ([check], false)
    }
    let facts: StoreExamination.Facts
    do {
      facts = try StoreExamination.facts(path)
    } catch {
      let check = DoctorCheck(
        "store", .fail, "\(error)", advice: "stop the server and restore a backup: till restore")
      return ([check], false)
    }
    let integrity =
      facts.faults.isEmpty
      ? DoctorCheck("store", .ok, "\(facts.bytes) bytes, every page and reference is whole")
      : DoctorCheck(
        "store", .fail, facts.faults.joined(separator: "; "),
        advice: "stop the server and restore a backup: till restore")
    let version =
      facts.isCurrent
      ? DoctorCheck("schema", .ok, facts.version)
      : DoctorCheck(
        "schema", .warn, "\(facts.version) is not the newest that this program knows",
        advice: "start the till-server of this version: it migrates")
    let wal =
      facts.walBytes < Self.walWarnBytes
      ? DoctorCheck("log of the store", .ok, "\(facts.walBytes) bytes")
      : DoctorCheck(
        "log of the store", .warn, "\(facts.walBytes) bytes",
        advice: "look for a program that keeps a read open; a restart of the server empties it")
    return ([integrity, version, wal], facts.isCurrent && facts.faults.isEmpty)
  }

  /// Whether payers are about to be signed out. No token or owner is named.
  private func tokenCheck() -> DoctorCheck {
    let now = environment.clock.now()
    let (ends, endless) = configuration.authenticator.tokenEnds
    let over = ends.count { $0 <= now }
    let soon = ends.count { $0 > now && $0 <= now + Self.tokenWarn }
    let fact =
      "\(endless + ends.count) in the file, \(endless) without an end, \(over) have run out, "
      + "\(soon) run out within \(Self.tokenWarn.components.seconds / 86_400) days"
    guard over + soon > 0 else { return DoctorCheck("app tokens", .ok, fact) }
    let first = ends.first { $0 > now }.map { ", the first at \($0)" } ?? ""
    return DoctorCheck(
      "app tokens", .warn, fact + first,
      advice: "hand out new ones beside them, and take out what has run out")
  }

  private func roomCheck() -> DoctorCheck {
    let parts = configuration.database.split(separator: "/", omittingEmptySubsequences: false)
    let directory = parts.dropLast().joined(separator: "/")
    do {
      let room = try Files.room(at: directory.isEmpty ? "." : directory)
      let fact = "\(room.free >> 20) MiB of \(room.all >> 20) MiB are free"
      if room.free >= Self.roomWarnBytes { return DoctorCheck("disk", .ok, fact) }
      return DoctorCheck(
        "disk", room.free < Self.roomFailBytes ? .fail : .warn, fact,
        advice: "make room: without it nothing new is accepted")
    } catch {
      return DoctorCheck(
        "disk", .fail, "\(error)", advice: "make the directory of the database, for this user")
    }
  }

  // MARK: What waits

  private struct Waiting {
    var name: String
    var what: String
    /// When the one that waits longest was due.
    var since: Instant?
    var advice: String
  }

  private func ageChecks() -> [DoctorCheck] {
    let now = environment.clock.now()
    do {
      let (waiting, held) = try StoreExamination.read(configuration.database) { transaction in
        (
          try Self.waiting(transaction, now),
          try transaction.webhooks(in: .parked, at: nil, before: nil, limit: 100)
        )
      }
      let parked = DoctorCheck(
        "parked webhooks", held.isEmpty ? .ok : .warn,
        held.count == 100 ? "100 or more" : "\(held.count)",
        advice: held.isEmpty ? nil : "look at them: till webhook list --state parked")
      return waiting.map { check($0, now) } + [parked]
    } catch {
      return [DoctorCheck("what waits", .fail, "\(error)")]
    }
  }

  private static func waiting(
    _ transaction: any PaymentTransaction, _ now: Instant
  ) throws -> [Waiting] {
    [
      Waiting(
        name: "due reads", what: "read",
        since: try transaction.paymentsDue(at: now, limit: 1).first?.schedule.nextReadAt,
        advice: "is the server running, and does the provider answer? See the log"),
      Waiting(
        name: "operations", what: "operation",
        since: try transaction.operationsDue(at: now, limit: 1).first?.nextTryAt,
        advice: "see the log for why, and till payment explain"),
      Waiting(
        name: "webhooks", what: "delivery",
        since: try transaction.webhooksDue(at: now, limit: 1).first?.nextTryAt,
        advice: "is the server running, and does the provider answer? See the log"),
      Waiting(
        name: "messages", what: "message",
        since: try transaction.messagesDue(at: now, limit: 1).first?.nextTryAt,
        advice: "does the receiver of fulfilment answer with 2xx?"),
    ]
  }

  private func check(_ waiting: Waiting, _ now: Instant) -> DoctorCheck {
    let late = waiting.since.map { now.since($0) } ?? .zero
    guard late > Self.overdueWarn else {
      return DoctorCheck(waiting.name, .ok, "none is overdue")
    }
    return DoctorCheck(
      waiting.name, late > Self.overdueFail ? .fail : .warn,
      "a \(waiting.what) is overdue by \(late.components.seconds / 60) min",
      advice: waiting.advice)
  }
}
