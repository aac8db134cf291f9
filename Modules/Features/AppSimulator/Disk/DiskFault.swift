/// A disk that goes bad under an unchanged program: from one of its calls on, `strace` has every
/// call of the kind fail, until it is told to go.
public struct DiskFault: Injection, Hashable {
  /// What the disk does not do any more.
  enum Kind: String, Sendable, CaseIterable {
    /// `pwrite64`, by which SQLite writes, finds no room.
    case full
    /// `pwrite64` is refused, as after the kernel has remounted a disk that made errors.
    case readOnly = "read-only"
    /// `fdatasync`, by which SQLite makes a commit durable, tells of a failed disk: whether what
    /// was written is there nobody knows.
    case failing
  }

  /// What the disk does.
  let kind: Kind
  /// Under whom, and when.
  public let scene: DiskScene
  /// From the how-manieth call of any one thread.
  let number: Int

  /// As in `full/create/7`.
  public var name: String { "\(kind.rawValue)/\(scene.rawValue)/\(number)" }

  /// Whether the server is also killed and started again once the disk is good: by turns, since it
  /// must go on either way.
  var isRestarted: Bool { (number / kind.step).isMultiple(of: 2) }

  /// From that call on each one fails.
  public func traceArguments(output: String) -> [String] {
    [
      "-f", "-o", output, "-e", "trace=\(kind.call)", "-e",
      "inject=\(kind.call):error=\(kind.error):when=\(number)+",
    ]
  }

  /// What `strace` writes into a line of a call that it has failed.
  public static let mark = "(INJECTED)"
}

extension DiskFault.Kind {
  fileprivate var call: String {
    switch self {
    case .full, .readOnly: "pwrite64"
    case .failing: "fdatasync"
    }
  }

  fileprivate var error: String {
    switch self {
    case .full: "ENOSPC"
    case .readOnly: "EROFS"
    case .failing: "EIO"
    }
  }

  /// From one number to the next. A commit has one sync and some ten to fifty writes; odd, so that
  /// heads and bodies of pages are hit by turns.
  var step: Int {
    switch self {
    case .full: 11
    case .readOnly: 33
    case .failing: 2
    }
  }

  /// How the store names it: what `/readyz` must say.
  var storeWord: String {
    switch self {
    case .full: "full"
    case .readOnly: "read_only"
    case .failing: "unusable"
    }
  }
}

/// Under whom a disk goes bad, and at what the payment is then.
public enum DiskScene: String, Sendable, CaseIterable {
  /// A server starts and there is no store yet.
  case newStore = "new-store"
  /// A server starts over a store that was not closed.
  case oldStore = "old-store"
  /// From "pay" to the open page.
  case create
  /// From the payer's confirmation to held money.
  case webhook
  /// An operator takes the money.
  case capture
  /// An operator gives a part of it back.
  case refund
  /// The shop's own systems are told.
  case outbox
  /// The books are compared and settled.
  case reconcile
  /// The payer's phone, from the start of the app on.
  case device

  /// The part of the story during which the server's disk goes bad; nil in other scenes.
  var phase: SweepPhase? {
    switch self {
    case .newStore, .oldStore, .device: nil
    case .create: .create
    case .webhook: .webhook
    case .capture: .capture
    case .refund: .refund
    case .outbox: .outbox
    case .reconcile: .reconcile
    }
  }
}
