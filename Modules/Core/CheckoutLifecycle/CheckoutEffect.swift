/// What a step of the lifecycle asks to be done, in the order given.
public enum CheckoutEffect: Hashable, Sendable {
  /// Keep the record durably, then tell ``CheckoutEvent/stored(revision:)``. Later effects wait.
  case store(CheckoutRecord)
  /// Drop the record from the store.
  case forget(CheckoutKey)
  /// Send the create under the record's key, and repeat it until there is an answer.
  case create(CheckoutRecord)
  /// Put the page on the screen, then tell ``CheckoutEvent/opened``.
  case openPage(url: String, strategy: PresentationStrategy)
  /// Take the page off the screen if it is there.
  case closePage
  /// Tell ``CheckoutEvent/teardownDue`` after this long.
  case scheduleTeardown(after: Duration)
  /// Start a run of reads that goes on until ``stopWatch`` or its cap. Time counts from now, also
  /// if a run is under way.
  case watch
  /// See that at least one read is answered from now on, within the run that is under way if
  /// there is one.
  case read
  /// End the run of reads.
  case stopWatch
  /// Tell the server what was seen, once, for its journal.
  case signal(CheckoutSignal)
  /// Show this to the payer.
  case show(CheckoutDisplay)
}

/// What the device tells the server, as a hint.
public enum CheckoutSignal: Hashable, Sendable {
  /// The page was opened.
  case opened
  /// A return URL came back.
  case returned(CheckoutReturn.Kind)
  /// The page is gone.
  case closed
  /// The page handed the payer to another app.
  case wentOutside
  /// The page called the state that it shows final.
  case pageFinal
  /// The app came to the foreground.
  case foregrounded
  /// A new process found the checkout open.
  case relaunched
}

/// What the payer sees of a checkout beside the hosted page.
public enum CheckoutDisplay: Hashable, Sendable {
  /// "One moment": the payment is being made ready.
  case preparing
  /// "Confirming your payment…"
  case confirming
  /// The page did not open; the cart is kept and the payer may try again.
  case notStarted(CheckoutObstacle)
  /// How it ended, as far as is known.
  case outcome(CheckoutOutcome)
}
