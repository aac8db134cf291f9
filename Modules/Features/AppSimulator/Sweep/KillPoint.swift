/// Something that `strace` does from outside to a program that knows nothing of it.
public protocol Injection: Sendable {
  /// Arguments of `strace` that say what is traced and what is done, without to which process.
  ///
  /// - Parameter output: a file for the calls that it sees.
  func traceArguments(output: String) -> [String]
}

/// A kill that is put into an unchanged program from outside: `strace` ends it with SIGKILL as it
/// enters one of its system calls.
public struct KillPoint: Injection, Hashable {
  /// Which program is killed.
  public enum Program: String, Hashable, Sendable, CaseIterable {
    /// `till-server`.
    case server
    /// `till-app buy`, the app on the payer's phone.
    case device
  }

  /// The system calls that carry a program's disk and network: SQLite makes a commit durable by
  /// `fdatasync`; sockets of the listener and of libcurl are written by `sendto` and read by
  /// `recvfrom`.
  enum Call: String, Hashable, Sendable, CaseIterable {
    case fdatasync, sendto, recvfrom
  }

  /// Which program is killed.
  public let program: Program
  /// In which phase its calls are counted from 1.
  let phase: SweepPhase
  /// At which call.
  let call: Call
  /// At the how-manieth call of any one thread.
  let number: Int

  /// As in `server/capture/fdatasync/2`.
  public var name: String {
    "\(program.rawValue)/\(phase.rawValue)/\(call.rawValue)/\(number)"
  }

  /// Whether the program is traced from its launch on; else `strace` comes when the phase begins,
  /// and goes with it.
  public var isFromLaunch: Bool { phase == program.phases.first }

  /// It is killed at that call of one thread.
  public func traceArguments(output: String) -> [String] {
    [
      "-f", "-o", output, "-e", "trace=\(call.rawValue)", "-e",
      "inject=\(call.rawValue):signal=KILL:when=\(number)",
    ]
  }
}

extension KillPoint.Program {
  /// The phases in which it has something to do, in order.
  var phases: [SweepPhase] {
    switch self {
    case .server: SweepPhase.allCases
    case .device: [.create, .webhook]
    }
  }
}

/// What the payment was at when the program was killed.
enum SweepPhase: String, Sendable, CaseIterable {
  /// Up to the first request: the store is made, the server begins to listen.
  case start
  /// From "pay" to the open page.
  case create
  /// From the payer's confirmation to held money: the webhook, the return, the read.
  case webhook
  /// An operator takes the money.
  case capture
  /// An operator gives a part of it back.
  case refund
  /// The shop's own systems are told of both.
  case outbox
  /// The provider has given another part back by itself; the books are compared and settled.
  case reconcile
}
