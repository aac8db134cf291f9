import MerchantCommands
import PaymentModels
import ProviderInterface

/// The lines that the lists of several providers have, about one account.
struct AccountCheckup: Sendable {
  let account: any PaymentProvider
  let evidence: LiveEvidence.OfAccount
  let path: PublicPath
  let catalogue: FileCatalogue
  /// An id of no payment: a read of it shows whether the key is taken, and nothing else.
  let madeUpID: String

  /// By what it is known whether a key is live.
  enum ModeProof {
    /// By how the key begins, as the provider's document says.
    case key
    /// By nothing that it answers.
    case nothing
  }

  func check(
    _ item: String, _ answer: LiveCheck.Answer, _ fact: String, advice: String? = nil
  ) -> LiveCheck {
    LiveCheck("\(account.name) \(account.account)", item, answer, fact, advice: advice)
  }

  /// What no call can show.
  func you(_ item: String, _ question: String) -> LiveCheck { check(item, .youSay, question) }

  // MARK: The key

  /// Reads the newest payment, or one that does not exist: the answer tells whether the key is
  /// taken. The reading is nil where there is none.
  func keyByRead() async -> (check: LiveCheck, reading: PaymentReading?) {
    let known = evidence.payment
    do throws(ProviderError) {
      let reading = try await account.read(known ?? ProviderPaymentID(madeUpID))
      return (check("key", .yes, "it is taken: the newest payment was read"), reading)
    } catch {
      return (key(refusedBy: error, isOfOurs: known != nil), nil)
    }
  }

  private func key(refusedBy error: ProviderError, isOfOurs: Bool) -> LiveCheck {
    guard error.kind == .notFound else { return key(failing: error) }
    if isOfOurs {
      return check(
        "key", .no, "it does not know a payment that was made through this account",
        advice: "the key is another account's, or one of the other mode: compare with the panel")
    }
    // Where something else answers, at a wrong address, it does so without the API's own code.
    guard error.code != nil else {
      return check(
        "key", .cannotTell, "it was asked for a payment that does not exist, and said only 404",
        advice: "make a payment; then the key can be told from a wrong address")
    }
    return check(
      "key", .yes, "it is taken: asked for a payment that does not exist, it says that it has none")
  }

  /// A call that went wrong: only a refusal of the key says something about the key.
  func key(failing error: ProviderError) -> LiveCheck {
    if error.kind == .unauthorized {
      return check(
        "key", .no, "\(error)", advice: "compare the account's keys with the provider's panel")
    }
    return check(
      "key", .cannotTell, "\(error)",
      advice: "try again; if it stays, look at the provider's status page")
  }

  /// Whether account, key and settings agree on whether real money moves.
  ///
  /// - Parameter seen: what the provider says of something that this key sees.
  func mode(_ seen: PaymentMode?, knownBy proof: ModeProof) -> LiveCheck {
    if account.mode == .test {
      return check(
        "mode", .no, "these are test settings: nothing that it takes is real",
        advice: "set the live key and mode, and register webhooks again for them")
    }
    switch (seen, proof) {
    case (.test?, _):
      return check(
        "mode", .no, "the settings say live, and the provider calls what this key sees a test",
        advice: "compare the key with the provider's panel")
    case (.live?, _): return check("mode", .yes, "the provider calls what this key sees live")
    case (nil, .key): return check("mode", .yes, "the key begins as a live one does")
    case (nil, .nothing):
      return you("mode", "Key and address are those of the provider's live environment.")
    }
  }

  // MARK: Money

  /// Whether anything of the catalogue can be paid through the account.
  func currency() -> LiveCheck {
    let taken = account.capabilities.currencies
    let sold = Set(catalogue.prices.map(\.price.currency.code))
    let both = taken.intersection(sold).sorted()
    guard both.isEmpty else {
      return check("currency", .yes, "the catalogue has prices in \(both.joined(separator: ", "))")
    }
    return check(
      "currency", .no,
      "it takes \(taken.sorted().joined(separator: ", ")), and the catalogue has "
        + sold.sorted().joined(separator: ", "),
      advice: "compare the account's currency with the prices")
  }

  /// What the payer sees is nowhere in an API: an exponent that is wrong is wrong both ways.
  func unit(_ currency: String, exponent: Int) -> LiveCheck {
    let one = "1" + String(repeating: "0", count: exponent)
    return you(
      "unit", "One \(currency) is sent as \(one): the hosted page shows the catalogue's price.")
  }

  /// Whether one payment has gone the whole way.
  func payment() -> LiveCheck {
    if let paidAt = evidence.paidAt {
      return check("payment", .yes, "one was read as paid with its order's amount, at \(paidAt)")
    }
    if evidence.paidOtherwise {
      return check(
        "payment", .no, "one was paid with another amount than its order's",
        advice: "till review list; then look at currency and unit")
    }
    return check(
      "payment", .cannotTell, "none was paid through it yet",
      advice: "buy the cheapest thing, and give the money back")
  }

  /// Whether money went back once.
  func refund() -> LiveCheck {
    if evidence.wentBack { return check("refund", .yes, "one was seen") }
    guard account.capabilities.refund != .none else {
      return you("refund", "Its API gives nothing back here: you know where it is done by hand.")
    }
    return check(
      "refund", .cannotTell, "none was seen yet", advice: "refund the payment that you made")
  }

  // MARK: Webhooks

  /// Whether deliveries come through what stands in front of the server.
  func reach() async -> LiveCheck {
    switch await path.webhook(account.name.rawValue) {
    case .notAsked: check("reach", .cannotTell, "without --public-url it is not asked")
    case .ours(let url): check("reach", .yes, "\(url) leads to a till-server")
    case .other(let fact):
      check("reach", .no, fact, advice: "let the proxy pass on everything below /webhooks")
    }
  }

  /// Whether one came that is the provider's.
  func delivery(advice: String) -> LiveCheck {
    guard let at = evidence.deliveredAt else {
      return check("delivery", .cannotTell, "none that fits has come yet", advice: advice)
    }
    return check("delivery", .yes, "the newest that fits came at \(at)")
  }

  /// Whether deliveries can be checked by what the provider signs them with.
  func signature(_ webhook: PaymentDeliverySettings?) -> [LiveCheck] {
    guard let webhook else {
      return [
        check(
          "webhook", .no, "no secret is set, so each delivery is refused and reads alone tell",
          advice: "set webhook, and tell the provider the address")
      ]
    }
    return [
      check("webhook", .yes, "deliveries are checked by \(webhook.header)"),
      webhook.isSchemeConfirmed
        ? check("scheme", .yes, "you have confirmed how the provider signs")
        : check(
          "scheme", .cannotTell, "how it signs is assumed, so a delivery causes a read alone",
          advice: "see one real delivery fit, then set webhook_scheme_confirmed"),
    ]
  }
}
