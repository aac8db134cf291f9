import HTTPExchange
import StrictJSON

extension ConformanceCheck {
  /// What a create must hold.
  static let opening: [ConformanceCheck] =
    [
      ConformanceCheck(
        "price-from-server", "The price is the server's, whatever the app says",
        loss: "A buyer names the price and gets the goods for a cent.",
        [
          .rais("Checklist, “The amount is computed on your server, never sent by the app”"),
          .futa("Create the payment for an app, “Your server creates the payment”"),
        ] + DocumentRule.advice([.tabby, .seb], "an app can be changed by whoever holds the phone")
      ) { try await $0.tamper($0.adapter.tamperedAmount) },
      ConformanceCheck(
        "currency-from-server", "The currency is the server's, whatever the app says",
        loss: "A buyer pays 340 of the cheapest currency there is.",
        [
          .rais("Checklist, “The amount is computed on your server, never sent by the app”"),
          .futa("Create the payment for an app, “Your server creates the payment”"),
        ] + DocumentRule.advice([.tabby, .seb], "an app can be changed by whoever holds the phone")
      ) { try await $0.tamper($0.adapter.tamperedCurrency) },
      ConformanceCheck(
        "create-needs-login", "Nobody opens a checkout without a login",
        loss: "Anyone fills your book and your account at the provider with orders of nobody.",
        [.rais("The server side of the app, “authenticated by your own login”")]
      ) { bench in
        let logins = bench.adapter.loginHeaders
        guard
          bench.adapter.create.headers.contains(where: { logins.contains($0.name.lowercased()) })
        else { throw CheckEnd.notRun("the adapter's create has none of its login_headers") }
        // One that is right in all else, so that the login is what decides.
        try await bench.open()
        let status = try await bench.backend.create(
          bench.account, key: bench.newKey(), without: logins
        ).status
        guard [401, 403].contains(status) else {
          throw CheckEnd.failed("a create without a login was answered \(status)")
        }
        return "answered \(status)"
      },
      ConformanceCheck(
        "payment-id-given", "The answer to a create names the provider's payment",
        loss: "An app that was killed at the bank cannot ask for its payment any more.",
        [
          .tabby("Recovering from corner cases, “persist the payment_id … as soon as”"),
          .seb("Build the request, an empty paymentId is refused"),
        ]
      ) { bench in
        guard let pointer = bench.adapter.places.providerPayment else {
          throw CheckEnd.notRun("the adapter has no answers.provider_payment")
        }
        let created = try await bench.backend.create(bench.account, key: bench.newKey())
        let payment = try await bench.payment(created, key: "")
        guard created.json.text(pointer: pointer) == payment.entry else {
          throw CheckEnd.failed("it does not name the provider's id")
        }
        return "it did"
      },
      ConformanceCheck(
        "page-as-issued", "The app gets the page's address exactly as the provider issued it",
        loss: "A page that was rewritten does not open, or opens without its session.",
        [
          .futa("Android, “checkoutUrl is the payment’s checkout_url exactly as Futa issued it”"),
          .rais("The flow, step 2, “returns the checkout_url to the app”"),
          .tabby("Checkout flow, “open the returned URL”"),
          .seb("Build the request, checkoutURL is payment.checkoutRedirect"),
        ]
      ) { bench in
        let payment = try await bench.open()
        guard try await bench.ledger(payment)["web_url"]?.text == payment.page else {
          throw CheckEnd.failed("the app was given another address")
        }
        return "the addresses are the same"
      },
      ConformanceCheck(
        "verification-key", "The app gets the payment's verification key",
        loss: "SEB's app SDK refuses the payment before it shows anything.",
        [.seb("Build the request, an empty verificationKey is refused")]
      ) { bench in
        guard let pointer = bench.adapter.places.verificationKey else {
          throw CheckEnd.notRun("the adapter has no answers.verification_key")
        }
        let created = try await bench.backend.create(bench.account, key: bench.newKey())
        guard created.json.text(pointer: pointer)?.isEmpty == false else {
          throw CheckEnd.failed("the answer to the create has none")
        }
        return "the answer to the create has one"
      },
    ] + keys
}

extension ConformanceCheck {
  /// What an idempotency key must hold.
  private static let keys: [ConformanceCheck] = [
    ConformanceCheck(
      "key-again", "The same key with the same terms is the same payment",
      loss: "A create that is repeated over a bad line charges twice.",
      [
        .futa("Create the payment for an app, “The Idempotency-Key binds …”"),
        .rais("The server side of the app, Idempotency-Key of the order"),
      ]
    ) { bench in
      let first = try await bench.open()
      let again = try await bench.backend.create(bench.account, key: first.key)
      guard again.payment == first.payment, again.page == first.page else {
        throw CheckEnd.failed("the second answer is another payment or page (\(again.status))")
      }
      return "both answers are one payment"
    },
    ConformanceCheck(
      "key-other-terms", "The same key with other terms is refused",
      loss: "The buyer pays for one cart and is sent another.",
      [.futa("Create the payment for an app, the key binds “the other terms”")]
    ) { bench in
      // The other cart can be bought, so that the key is what is refused.
      try await bench.open(product: bench.account.otherProduct)
      let first = try await bench.open()
      let other = try await bench.backend.create(
        bench.account, key: first.key, product: bench.account.otherProduct)
      guard (400..<500).contains(other.status) else {
        throw CheckEnd.failed("another cart under the key was answered \(other.status)")
      }
      return "refused with \(other.status)"
    },
    ConformanceCheck(
      "double-tap", "Two taps at once are one payment",
      loss: "The buyer has two pages open and pays both.",
      [
        .futa("Create the payment for an app, “The Idempotency-Key binds …”"),
        .rais("The server side of the app, Idempotency-Key of the order"),
      ]
    ) { bench in
      let key = bench.newKey()
      let before = try await bench.sandbox.payments(of: bench.provider).count
      async let one = bench.backend.create(bench.account, key: key)
      async let two = bench.backend.create(bench.account, key: key)
      let pages = Set([try await one, try await two].compactMap(\.page))
      let added = try await bench.sandbox.payments(of: bench.provider).count - before
      guard added == 1, pages.count == 1 else {
        throw CheckEnd.failed("the provider has \(added) payments of it, the app \(pages.count)")
      }
      return "the provider has one payment of it"
    },
    ConformanceCheck(
      "create-answer-lost", "A create whose answer was lost is repeated, and can be paid",
      loss: "The buyer cannot pay, or pays a payment that you know nothing of.",
      [
        .futa("Create the payment for an app, “Compute expires_at once per order”"),
        .rais("The server side of the app, Idempotency-Key of the order"),
      ]
    ) { bench in
      let before = try await bench.sandbox.payments(of: bench.provider).count
      try await bench.spoilNextCreate("lost")
      let key = bench.newKey()
      let start = bench.uptime
      var created = try await bench.backend.create(bench.account, key: key)
      while created.page == nil {
        guard bench.uptime - start < ConformanceLimits.learnTime else {
          throw CheckEnd.failed("the app's repeat got no page (\(created.status))")
        }
        try await bench.pause(ConformanceLimits.pollTime)
        created = try await bench.backend.create(bench.account, key: key)
      }
      let payment = try await bench.payment(created, key: key)
      try await bench.pay(payment)
      let said = try await bench.until(payment, .paid)
      let added = try await bench.sandbox.payments(of: bench.provider).count - before
      guard added == 1 else { throw CheckEnd.failed("the provider has \(added) payments of it") }
      return "the provider has one payment of it; paid, it said “\(said.words)”"
    },
  ]
}

extension CheckBench {
  /// Opens a checkout whose app says what is not its business.
  fileprivate func tamper(_ members: JSONValue) async throws -> String {
    // One without them is taken, so that they are what is refused.
    try await open()
    let created = try await backend.create(account, key: newKey(), extra: members)
    if (400..<500).contains(created.status) { return "refused with \(created.status)" }
    guard created.status < 500 else { throw CheckEnd.failed("answered \(created.status)") }
    let payment = try await payment(created, key: "")
    let entry = try await ledger(payment)
    let (amount, currency) = (entry["amount"]?.text ?? "", entry["currency"]?.text ?? "")
    guard amount == account.amount, currency == account.currency else {
      throw CheckEnd.failed("the provider was asked for \(amount) \(currency)")
    }
    return "the provider was asked for \(amount) \(currency) all the same"
  }

  /// Spoils the provider's answer to the next create.
  func spoilNextCreate(_ kind: String) async throws {
    // Tebex' basket has no price before something is put in.
    let call = provider == .tebex ? "add" : "create"
    try await sandbox.change(
      provider,
      .object([
        "faults": .object([
          "answers": .array([
            .object([
              "call": .string(call), "kind": .string(kind),
              "delay_ms": .integer(ConformanceLimits.slowCreateMs),
            ])
          ])
        ])
      ]))
  }
}
