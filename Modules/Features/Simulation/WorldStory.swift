import CheckoutLifecycle
import KitEnvironment
import PaymentModels
import PaymentStore

/// A world told to people.
public struct WorldStory: Sendable {
  private let report: WorldReport

  /// Tells how a world went.
  public init(_ report: WorldReport) { self.report = report }

  /// What the world is made of, a sentence a part, and what was found.
  public var sentences: [String] {
    let plan = report.plan
    let seed = "The world of seed \(plan.seed)"
    let people = plan.payers == 1 ? "1 payer" : "\(plan.payers) payers"
    let devices = plan.devices.count == 1 ? "1 device" : "\(plan.devices.count) devices"
    return [
      "\(seed) has \(people) with \(devices), a server with "
        + "\(plan.policy.capture.rawValue) capture over a store \(plan.store.words), and faults "
        + "for \(Self.time(plan.faultsEnd))."
    ] + plan.parts.sorted { ($0.at, $0.name) < ($1.at, $1.name) }.map(\.sentence)
      + report.violations.map { "Found: \($0)." }
  }

  /// The moments of the trace that a reader needs: all but single messages.
  public var moments: [String] {
    report.trace.lines.filter { line in
      !line.contains(": [") || Self.tellingWords.contains { line.contains($0) }
    }
  }

  private static let tellingWords = ["webhooks/", "POST", "lost", "breaks off", "meets a provider"]

  static func time(_ duration: Duration) -> String {
    let seconds = duration.wholeMilliseconds / 1_000
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(hours)):\(two(minutes)):\(two(rest))"
  }
}

extension WorldPlan.Store {
  fileprivate var words: String { self == .memory ? "in memory" : "on SQLite" }
}

extension WorldPart {
  /// What happens, as a sentence.
  public var sentence: String { at > .zero ? "At \(WorldStory.time(at)) \(words)." : "\(words)." }

  private var words: String {
    switch action {
    case .buys(let device, let purchase):
      return "device \(device + 1) buys \(purchase.quantity) \(purchase.product) at "
        + "\(purchase.provider)\(purchase.strategy.map { ", shown in \($0.rawValue)" } ?? "")"
    case .triesAgain(let device): return "device \(device + 1) tries its payer's latest order again"
    case .edits(let device, let purchase):
      return "device \(device + 1) makes its payer's latest order one of \(purchase.quantity) "
        + purchase.product
    case .mood(let device, let event): return "device \(device + 1) is \(event)"
    case .network(let fault, let percent):
      return "Of a hundred messages \(percent) meet a \(fault.rawValue)"
    case .cut(let one, let other, let until):
      return "\(one) and \(other) cannot reach each other until \(WorldStory.time(until))"
    case .outage(let provider, let kind, let until):
      return "\(provider) \(kind.rawValue) until \(WorldStory.time(until))"
    case .crash(let victim, let message, let jobs):
      return "\(victim.words(isFirst: true)) crashes \(jobs) jobs after its message \(message)"
    case .crashAt(let checkpoint, let times):
      return "The server crashes when it has come to \(checkpoint.rawValue) \(times) times"
    case .restart: return "the server is restarted"
    case .slowDisk(let maxMs): return "A sync of the server's disk takes up to \(maxMs) ms"
    case .fullDisk(let until): return "the server's disk is full until \(WorldStory.time(until))"
    case .clock(let victim, let step):
      return "the clock of \(victim.words(isFirst: false)) is set by "
        + "\(step.wholeMilliseconds) ms"
    case .sandbox(let provider): return "\(provider) does what its document leaves open"
    case .errand(let errand): return "an operator sets out to \(errand.rawValue)"
    case .moves(let move): return "a provider has a \(move.rawValue) by itself"
    case .rotatesOperatorKey: return "the operators' key is changed"
    case .signsOut(let payer): return "the sign-in of payer \(payer + 1) runs out"
    case .rotates(let provider): return "the webhook secret of \(provider) is changed"
    }
  }
}

extension WorldPart.Victim {
  fileprivate func words(isFirst: Bool) -> String {
    switch self {
    case .server: isFirst ? "The server" : "the server"
    case .device(let device): isFirst ? "Device \(device + 1)" : "device \(device + 1)"
    }
  }
}
