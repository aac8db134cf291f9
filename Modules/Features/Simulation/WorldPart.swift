import CheckoutLifecycle
import KitEnvironment
import PaymentModels

/// One thing that happens to a world from outside, or that is wrong with it: what a world that
/// went wrong can do without is left out of its story.
public struct WorldPart: Sendable, Hashable {
  /// What kind of trouble it is, as `--faults` names it.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Payers buy; without it there is no story.
    case payers
    /// What apps and systems do to the app meanwhile.
    case moods
    /// Messages are lost, late, doubled, spoilt.
    case network
    /// Parties cannot reach each other for a while.
    case partitions
    /// A provider is out.
    case outages
    /// Processes die.
    case crashes
    /// The server's disk is slow or full.
    case disk
    /// Somebody sets a clock.
    case clocks
    /// Providers do what their documents leave open, late, twice or not at all.
    case providers
    /// People who run the shop do things.
    case operators
    /// Secrets and keys are changed, and the server is restarted for it; sign-ins run out.
    case secrets
  }

  enum Action: Sendable, Hashable {
    case buys(device: Int, Purchase)
    /// Another try at the latest order of the device's payer.
    case triesAgain(device: Int)
    /// The latest order of the device's payer gets this cart.
    case edits(device: Int, Purchase)
    case mood(device: Int, CheckoutEvent)
    case network(NetworkFault, percent: Int)
    case cut(String, String, until: Duration)
    case outage(String, Outage, until: Duration)
    /// After so many messages of the party, and then so many of its jobs.
    case crash(Victim, message: Int, jobs: Int)
    case crashAt(Checkpoint, times: Int)
    case restart
    case slowDisk(maxMs: Int)
    case fullDisk(until: Duration)
    case clock(Victim, by: Duration)
    case sandbox(String)
    case errand(OperatorErrand)
    case rotates(String)
    case rotatesOperatorKey
    case signsOut(payer: Int)
    case moves(ProviderMove)
  }

  /// What a provider does to a payment by itself.
  enum ProviderMove: String, Sendable, Hashable, CaseIterable {
    /// Somebody gives the money back in the provider's own panel.
    case refund
    /// The payer's bank takes it back, and perhaps brings it again.
    case dispute
    /// The payer's bank says yes after all to what had ended unpaid.
    case lateYes = "late yes"
    /// It lets go of what it held.
    case lapseOfHold = "lapse of a hold"
    /// Somebody closes in its panel what was captured in part.
    case close
  }

  /// A process that can die, or whose clock can be set.
  enum Victim: Sendable, Hashable {
    case server
    case device(Int)
  }

  /// How a provider is out.
  enum Outage: String, Sendable, Hashable, CaseIterable {
    case refuses
    case hangs
    case answers502 = "answers 502"
    case answers429 = "answers 429"
  }

  /// What is bought.
  struct Purchase: Sendable, Hashable {
    var provider: ProviderName
    var product: String
    var quantity: Int64
    /// Where the page is shown, if not as recommended.
    var strategy: PresentationStrategy?
  }

  /// Tells it from the other parts of its world, and is the same whichever of those are left out.
  public let name: String
  /// What kind of trouble it is.
  public let kind: Kind
  /// When; from the beginning on if it has no time of its own.
  let at: Duration
  let action: Action

  /// Whose part it is, where it is a payer's.
  var payer: Int?
}

/// What somebody who runs the shop does.
enum OperatorErrand: String, Sendable, Hashable, CaseIterable {
  case refund
  case refundPart = "refund a part"
  case capture
  case capturePart = "capture a part"
  case close
  case cancel = "cancel an order"
  case resolve = "decide a case"
  case reconcile
  case redeliver
  case pause = "pause a provider"
}
