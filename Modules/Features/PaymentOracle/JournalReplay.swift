import PaymentModels

/// What the journal alone comes to, line by line from the first one on.
///
/// It follows the words that the merchant's documents give to the journal and nothing of the code
/// that writes it. Lines are given once, in the order of the store, so a judge that looks often
/// reads each of them once.
public struct JournalReplay: Sendable, Hashable {
  /// What the lines about a payment come to. Sums are minor units.
  struct Payment: Sendable, Hashable {
    var status = "created"
    var sums: [Movement: Int64] = [:]
  }

  /// What the lines about an order come to.
  struct Order: Sendable, Hashable {
    var state = "pending"
    /// Minor units; nil until its cart is changed: what an order was first for stands in no line.
    var total: Int64?
    var openCases: Set<Case> = []
    var delivered = 0
    var givenUp = 0
  }

  /// An open case: there is one of a kind and payment at the most.
  struct Case: Sendable, Hashable {
    let kind: String
    let paymentID: String?
  }

  enum Movement: String, Sendable, Hashable, CaseIterable {
    case captured
    case refunded
    case chargedBack = "charged back"
  }

  private(set) var payments: [String: Payment] = [:]
  private(set) var orders: [String: Order] = [:]
  /// Everything that lines are about, whether or not they changed it.
  private(set) var orderIDs: Set<String> = []
  private(set) var paymentIDs: Set<String> = []
  /// What the lines themselves are not in order about, each once.
  private(set) var disorder: [String] = []
  /// The sequence of the last line.
  public private(set) var last: Int64 = 0
  private var latest: Instant?
  /// Whether times are of one clock that nobody has set.
  public private(set) var hasClockOfOne = true

  /// A line bears the time at which its writer looked at the clock, and may then wait for its turn
  /// at the store: so much older than the line before it may it be.
  static let turnMax: Duration = .seconds(60)

  /// Of no line.
  public init() {}

  /// The writer's clock was set: from here on times need not grow.
  public mutating func clockWasSet() { hasClockOfOne = false }

  /// Follows one more line.
  public mutating func add(_ line: JournalLine) {
    if line.sequence != last + 1 {
      disorder.append("line \(line.sequence) comes after line \(last)")
    }
    last = line.sequence
    if hasClockOfOne, let latest, line.at < latest - Self.turnMax {
      disorder.append("line \(line.sequence) is of \(line.at), a line before it of \(latest)")
    }
    latest = max(latest ?? line.at, line.at)
    if let id = line.orderID { orderIDs.insert(id) }
    if let id = line.paymentID { paymentIDs.insert(id) }
    guard let change = line.change else { return }
    switch line.event {
    case "answer", "read", "signed webhook", "create ended": follow(change, of: line)
    case "order": followOrder(change, of: line)
    case "cart": followCart(change, of: line)
    case "review": followCase(change, of: line)
    case "message", "redeliver": followMessage(change, of: line)
    default: break
    }
  }

  // MARK: Payments

  private mutating func follow(_ change: String, of line: JournalLine) {
    guard let id = line.paymentID else { return }
    var payment = payments[id] ?? Payment()
    for part in Self.parts(change) {
      if let step = Self.step(part) {
        require(step.from == payment.status, step, line, payment.status)
        payment.status = step.to
      } else if let (movement, sum) = Self.sum(part) {
        payment.sums[movement] = sum
      }
    }
    payments[id] = payment
  }

  private static func parts(_ change: String) -> [String] {
    change.split(separator: ",").map { String($0.drop { $0 == " " }) }
  }

  private static func step(_ part: String) -> (from: String, to: String)? {
    guard let arrow = part.firstRange(of: " → ") else { return nil }
    return (String(part[..<arrow.lowerBound]), String(part[arrow.upperBound...]))
  }

  /// `42.50 AED captured in all`
  private static func sum(_ part: String) -> (Movement, Int64)? {
    guard part.hasSuffix(" in all") else { return nil }
    let words = part.dropLast(" in all".count).split(separator: " ", maxSplits: 2)
    guard words.count == 3, let movement = Movement(rawValue: String(words[2])),
      let sum = minorUnits(words[0...1])
    else { return nil }
    return (movement, sum)
  }

  /// `42.50`, `AED`
  private static func minorUnits(_ words: ArraySlice<Substring>) -> Int64? {
    guard words.count == 2, let decimal = words.first, let code = words.last,
      let currency = Currency(iso4217: String(code))
    else { return nil }
    return try? Money(decimal: String(decimal), currency: currency).minorUnits
  }

  private mutating func require(
    _ fits: Bool, _ step: (from: String, to: String), _ line: JournalLine, _ state: String
  ) {
    guard !fits else { return }
    disorder.append(
      "line \(line.sequence) leads from \(step.from) to \(step.to), and it stood at \(state)")
  }

  // MARK: Orders

  private mutating func followOrder(_ change: String, of line: JournalLine) {
    guard let id = line.orderID, let step = Self.step(change) else { return }
    let state = orders[id, default: Order()].state
    require(step.from == state, step, line, state)
    orders[id, default: Order()].state = step.to
  }

  /// `42.50 AED → 85.00 AED`
  private mutating func followCart(_ change: String, of line: JournalLine) {
    guard let id = line.orderID else { return }
    let step = Self.step(change)
    guard let from = step.flatMap({ Self.minorUnits($0.from.split(separator: " ")[...]) }),
      let to = step.flatMap({ Self.minorUnits($0.to.split(separator: " ")[...]) })
    else {
      disorder.append("line \(line.sequence) changes a cart and does not tell its total")
      return
    }
    if let total = orders[id]?.total, total != from {
      disorder.append(
        "line \(line.sequence) leads from a total of \(from), and it stood at \(total)")
    }
    orders[id, default: Order()].total = to
  }

  /// `late_money`, `late_money resolved` or `late_money: refund`.
  private mutating func followCase(_ change: String, of line: JournalLine) {
    guard let id = line.orderID else { return }
    let kind = String(change.prefix { $0 != ":" && $0 != " " })
    let found = Case(kind: kind, paymentID: line.paymentID)
    if change == kind {
      orders[id, default: Order()].openCases.insert(found)
    } else if change != "\(kind): keep",
      orders[id, default: Order()].openCases.remove(found) == nil, change == "\(kind) resolved"
    {
      // One that policy decides at once was never before a person, and is not told as opened.
      disorder.append("line \(line.sequence) answers a case (\(kind)) that was not open")
    }
  }

  /// `fulfil delivered`, `fulfil given up` or `fulfil dead → waiting`.
  private mutating func followMessage(_ change: String, of line: JournalLine) {
    guard let id = line.orderID else { return }
    var order = orders[id] ?? Order()
    if change.hasSuffix(" delivered") { order.delivered += 1 }
    if change.hasSuffix(" given up") { order.givenUp += 1 }
    if change.hasSuffix(" delivered → waiting") { order.delivered -= 1 }
    if change.hasSuffix(" dead → waiting") { order.givenUp -= 1 }
    orders[id] = order
  }
}
