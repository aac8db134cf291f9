import CheckoutLifecycle

extension CheckoutEvent {
  /// Whether it only tells what the store did, whoever is signed in.
  var isOfTheStore: Bool {
    switch self {
    case .stored, .storeFailed: true
    case .started, .created, .createDelayed, .createFailed, .opened, .openFailed, .returned,
      .closed, .wentOutside, .pageSpoke, .backgrounded, .foregrounded, .relaunched, .viewRecreated,
      .viewLeft, .pushed, .signedOut, .serverAnswered, .serverFailed, .watchCapped, .teardownDue:
      false
    }
  }

  /// Whether the payer, or the page that the payer was on, did something with this checkout.
  var isOfThePayer: Bool {
    switch self {
    case .started, .returned, .opened: true
    case .stored, .storeFailed, .created, .createDelayed, .createFailed, .openFailed, .closed,
      .wentOutside, .pageSpoke, .backgrounded, .foregrounded, .relaunched, .viewRecreated,
      .viewLeft, .pushed, .signedOut, .serverAnswered, .serverFailed, .watchCapped, .teardownDue:
      false
    }
  }
}

extension CheckoutDisplay {
  /// Whether it says that there is money, or may be.
  var isNewsOfMoney: Bool {
    switch self {
    case .outcome(.succeeded), .outcome(.unresolved(.underReview)): true
    case .outcome, .preparing, .confirming, .notStarted: false
    }
  }
}
