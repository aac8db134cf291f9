import CheckoutLifecycle
import KitEnvironment

/// How long a soak goes on, who takes part, and the seed that all choices follow from.
public struct SoakPlan: Hashable, Sendable {
  /// Payers at once, unless told.
  public static let payersUsual = 8

  /// How long payers come, with faults on.
  public var duration: Duration
  /// Decides who does what, which faults there are and when the server is killed.
  public var seed: UInt64
  /// Payers at once; each has a phone of its own.
  public var payers: Int

  /// Takes the values.
  public init(duration: Duration, seed: UInt64, payers: Int = payersUsual) {
    self.duration = duration
    self.seed = seed
    self.payers = payers
  }

  /// The choices of one part of the soak.
  func words(_ name: String) -> SeededWords { SeededWords(seed: seed, name: name) }
}

/// What a payer does once the page is open.
enum SoakDeed: String, Hashable, Sendable, CaseIterable {
  /// Pays and follows the page's link back.
  case pays
  /// Pays and leaves the page without following its link.
  case leavesPaid
  /// The phone kills the app while the payer confirms away from the page.
  case killedAtBank
  /// A first try is declined, a second one pays.
  case failsFirst
  /// Goes on with the same order on a second phone.
  case secondPhone
  /// Cancels on the page, then tries the order again and pays.
  case cancelsThenPays
  /// Cancels with the bank's question open, pays by another attempt, and answers the bank.
  case paysTwice
  /// Leaves without paying.
  case abandons
  /// Is refused for good, where the provider refuses.
  case refused
  /// Pays although an operator has cancelled the order meanwhile.
  case paysCancelled

  /// How often out of the sum each is drawn: mostly people pay.
  private var weight: Int {
    switch self {
    case .pays: 5
    case .killedAtBank, .leavesPaid: 3
    case .failsFirst, .secondPhone, .cancelsThenPays, .abandons: 2
    case .refused, .paysCancelled, .paysTwice: 1
    }
  }

  private static let lots = allCases.flatMap { Array(repeating: $0, count: $0.weight) }

  static func drawn(_ words: inout SeededWords) -> SoakDeed { lots[words.below(lots.count)] }
}
