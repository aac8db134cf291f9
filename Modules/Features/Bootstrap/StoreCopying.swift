import MerchantCommands
import SQLitePaymentStore
import StrictJSON
import SystemRuntime

/// Carries out `till backup` and `till restore`.
struct StoreCopying {
  let database: String
  let terminal: Terminal

  /// Copies, says what came of it, and gives the exit code.
  func run(_ copy: StoreCopy, asJSON: Bool) -> Int32 {
    let showsBar = terminal.isInteractive && !asJSON
    func show(_ done: Int, _ all: Int) {
      guard showsBar, all > 0 else { return }
      terminal.write("\r\u{1B}[K\(done * 100 / all) % of \(all) pages")
    }
    let report: StoreBackup.Report
    do throws(BackupError) {
      report =
        switch copy.direction {
        case .backup:
          try StoreBackup.save(
            database, to: copy.path, replaces: copy.replaces, onProgress: show)
        case .restore:
          try StoreBackup.restore(
            copy.path, to: database, replaces: copy.replaces, onProgress: show)
        }
    } catch {
      if showsBar { terminal.write("\r\u{1B}[K") }
      terminal.complain("error: \(error)")
      return Self.exitCode(of: error)
    }
    if showsBar { terminal.write("\r\u{1B}[K") }
    let target = copy.direction == .backup ? copy.path : database
    terminal.write(asJSON ? json(report, target) : text(report, target))
    return 0
  }

  private func text(_ report: StoreBackup.Report, _ target: String) -> String {
    let rows = report.tables.filter { ["orders", "payments", "journal"].contains($0.name) }
      .map { "\($0.rows) \($0.name)" }.joined(separator: ", ")
    return "\(target): \(report.bytes) bytes, schema \(report.version), \(rows); checked\n"
  }

  private func json(_ report: StoreBackup.Report, _ target: String) -> String {
    let document = JSONValue.object([
      "path": .string(target), "bytes": .integer(report.bytes),
      "schema": .string(report.version),
      "rows": .object(
        report.tables.map { JSONMember(name: $0.name, value: .integer($0.rows)) }),
    ])
    return String(decoding: document.serialized(), as: UTF8.self) + "\n"
  }

  /// Codes of sysexits(3).
  private static func exitCode(of error: BackupError) -> Int32 {
    switch error.kind {
    case .inUse: 69
    case .exists, .unwritable: 73
    case .missing, .damaged, .newer: 74
    }
  }
}
