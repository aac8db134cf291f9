#if FaultInjection
  /// Mistakes that programmers make, one of which can be switched on. `till-app mutants` plays
  /// worlds with each, to show that the simulator finds it.
  ///
  /// They are there only in a build with the package trait `FaultInjection`. Each stands as an `if`
  /// in the code that it breaks, between `#if FaultInjection` and `#endif`, and a row of
  /// Docs/Simulation.md says what found it. The text of a case is what the broken kit does.
  package enum SeededFault: String, Sendable, CaseIterable {
    // MARK: Checkouts
    case keepsNoKey = "makes another order when a checkout is asked for again with its key"
    case dropsIntent = "asks the provider for a page before it has written down that it will"
    case losesProviderID = "keeps the page of a create's answer, and not the payment's id"

    // MARK: Answers of providers
    case takesPageForRefusal = "takes a proxy's error page for the provider's refusal"
    case takesDenialForRefusal = "takes 401 and 403 for the refusal of a payment"
    case countsHundredths = "counts Raïs' francs in hundredths"
    case failsPending = "takes Raïs' `pending` for the end"
    case takesProcessingForPaid = "takes SEB's `SENT_FOR_PROCESSING` for paid"
    case leaksKey = "puts the secret key into the address of Raïs' page"

    // MARK: Reads
    case believesOpenPayment = "takes a payment that can still be paid for a paid one"
    case stopsAfterFailedRead = "reads a payment no more after a read that failed"
    case keepsLeases = "never lets go of the lease of a process that died"
    case forgetsLapsed = "looks no more at a payment that it waits for no more"
    case expiresByOwnClock = "calls a payment expired by its own clock"
    case showsLapsedAsExpired = "tells the app that a payment it waits for no more has expired"

    // MARK: Webhooks
    case skipsDedupe = "takes a webhook that comes again for another one"

    // MARK: The book
    case ignoresAmount = "does not mind another amount than the order's"
    case booksNoLateMoney = "leaves a payment that ended as it was when its money comes"
    case booksNoForeignRefund = "books no refund without a reference of its own"
    case booksNoChargeback = "books no charge-back"
    case countsRefundsAnew = "counts a refund again with every read"
    case blursJournal = "writes into the journal that something changed, and not what"
    case opensNoCase = "opens no case for a person"
    case paysFromPart = "calls an order paid once a part of its money was taken"

    // MARK: Captures and refunds
    case forgetsCapture = "never captures what is held"
    case capturesTooMuch = "asks for twice the money that is held"
    case sendsNewReference = "sends every try of a capture or refund under a new reference"
    case asksEachTimeAnew = "does an operation again when it is asked for again with its key"
    case ignoresRefundsUnderWay = "does not look after a refund that the provider has taken on"
    case leavesOperation = "leaves an operation to nobody if it dies while the provider is asked"

    // MARK: Goods
    case fulfilsOnHold = "hands goods out once money is held, whatever the policy says"
    case fulfilsAgain = "forgets that the goods went out"
    case neverCallsBack = "never calls goods back"
    case dropsRefusedMessage = "takes a message for delivered that the shop did not take"
    case sendsNewMessageID = "gives a message a new id with every try"

    // MARK: Devices
    case makesNewKeys = "makes a new key for every try of a create"
    case givesUpCreate = "gives up a create that had no answer, and does not say so"
    case savesTooLate = "takes a checkout for kept before it is on the device's disk"
    case forgetsClosedPage = "forgets a checkout whose page was closed"
    case trustsRedirect = "takes the address of success for the money"
    case trustsCancelLink = "takes the address of cancel for the end"
    case takesCloseForCancel = "takes a closed page for a cancelled payment"
    case takesErrorForFailure = "takes a read without an answer for a failed payment"
    case takesPatienceForExpiry = "calls a payment expired after the wait for its proof"
    case takesRefusalForRejection = "shows a create that came to nothing as a rejected payment"
    case takesReviewForFailure = "shows a payment under review as a rejected one"
    case sleepsOn = "does not ask when the app comes to the foreground"

    /// The one that is on for what runs now.
    ///
    /// A task-local decides here what the code does, which it may nowhere else: a fault reaches
    /// code of every module without being handed through it, worlds with other faults run beside
    /// this one, and a global would be seen by all. `World.play` hands it from its caller to the
    /// world.
    @TaskLocal package static var active: SeededFault?
  }

  extension PaymentReading {
    /// As if all of its amount had been taken.
    package var asPaid: PaymentReading {
      guard status == .created || status == .pending, let amount else { return self }
      var reading = self
      reading.status = .captured
      reading.items = [
        PaymentItem(
          kind: .capture, providerItemID: providerPaymentID.rawValue, reference: nil,
          amount: amount, createdAt: nil)
      ]
      return reading
    }

    /// As if its refunds were others than those of an earlier answer.
    package func withNewRefunds(_ number: Int64) -> PaymentReading {
      var reading = self
      for index in items.indices where items[index].kind == .refund {
        reading.items[index].providerItemID += "-\(number)"
      }
      return reading
    }
  }
#endif
