import HTTPExchange
import StrictJSON

extension ConformanceCheck {
  private static let signed: [DocumentRule] = [
    .futa("What your app hears, “confirm … by its signed webhook”"),
    .rais("The flow, step 5, “from the signed webhook or by retrieving the payment”"),
    .tebexWebhooks("X-Signature is an HMAC of the body; others are refused"),
  ]
  private static let unsigned: [DocumentRule] = [
    .tabby("Checklist, “Treat webhooks as notifications only”"),
    .sebCallbacks("They carry no signature: retrieve the payment"),
  ]

  /// What a single delivery must and must not do.
  static let webhooks: [ConformanceCheck] = [
    ConformanceCheck(
      "webhook-taken", "A genuine webhook is acknowledged with 2xx at once",
      loss: "The provider repeats it for days and then stops telling you anything.",
      [
        .tabby("Handling the payment status, your backend receives webhooks"),
        .futa("What your app hears, the signed webhook"),
        .rais("The flow, step 5, the signed webhook"), .tebexWebhooks("Any 2xx ends a delivery"),
        .sebCallbacks("Any 2xx ends a delivery"),
      ]
    ) { bench in
      let (_, webhook) = try await bench.paidAndHeld()
      let answer = await bench.deliver(webhook)
      guard let answer, (200..<300).contains(answer.status) else {
        throw CheckEnd.failed("answered \(word(answer))")
      }
      return "answered \(answer.status)"
    },
    ConformanceCheck(
      "webhook-forged", "A forged webhook pays nothing",
      loss: "Whoever knows your address marks orders as paid.", signed + unsigned
    ) { bench in
      let (paid, webhook) = try await bench.paidAndHeld()
      let victim = try await bench.open()
      let headers = bench.headers(of: webhook) { _ in "0123456789abcdef" }
      try await bench.forge(bench.body(of: webhook, about: victim, insteadOf: paid), headers)
      return try await bench.staysUnpaid(victim)
    },
    ConformanceCheck(
      "webhook-unsigned", "A webhook without its proof pays nothing",
      loss: "Whoever knows your address marks orders as paid.", signed + [unsigned[0]]
    ) { bench in
      let (paid, webhook) = try await bench.paidAndHeld()
      try bench.requireProof(webhook)
      let victim = try await bench.open()
      let headers = bench.headers(of: webhook) { _ in nil }
      try await bench.forge(bench.body(of: webhook, about: victim, insteadOf: paid), headers)
      return try await bench.staysUnpaid(victim)
    },
    ConformanceCheck(
      "webhook-altered", "A genuine proof on an altered body pays nothing",
      loss: "Who has paid once, and can read his webhook, pays for all that follows.",
      signed + unsigned
    ) { bench in
      let (paid, webhook) = try await bench.paidAndHeld()
      let victim = try await bench.open()
      try await bench.forge(
        bench.body(of: webhook, about: victim, insteadOf: paid), webhook.headers)
      return try await bench.staysUnpaid(victim)
    },
    ConformanceCheck(
      "forgery-refused", "A delivery with a wrong signature is refused with 4xx",
      loss: "You never notice that your secret is wrong: everything seems to be taken.",
      [signed[2]]
        + DocumentRule.advice([.futa, .rais], "what is refused stands in the provider's log")
    ) { bench in
      let (_, webhook) = try await bench.paidAndHeld()
      try bench.requireProof(webhook)
      let answer = await bench.post(
        webhook.body, bench.headers(of: webhook) { _ in "0123456789abcdef" })
      guard let answer, (400..<500).contains(answer.status) else {
        throw CheckEnd.failed("answered \(word(answer))")
      }
      return "refused with \(answer.status)"
    },
    ConformanceCheck(
      "webhook-garbage", "A body that is no JSON is refused, not a crash",
      loss: "One bad byte stops the inbox, and with it every payment behind it.",
      DocumentRule.advice(ConformanceProvider.allCases, "anyone can post to the address")
    ) { bench in
      let (_, webhook) = try await bench.paidAndHeld()
      let answer = await bench.post([0xFF, 0x00] + Array("{\"type\":".utf8), webhook.headers)
      guard let answer, (400..<500).contains(answer.status) else {
        throw CheckEnd.failed("answered \(word(answer))")
      }
      return "refused with \(answer.status)"
    },
    ConformanceCheck(
      "webhook-oversize", "A body far beyond any webhook is refused",
      loss: "Anyone fills the server's memory through an address that takes no login.",
      DocumentRule.advice(ConformanceProvider.allCases, "anyone can post to the address")
    ) { bench in
      let (_, webhook) = try await bench.paidAndHeld()
      let filler = [UInt8](
        repeating: UInt8(ascii: " "), count: ConformanceLimits.oversizeBytes)
      let start = bench.uptime
      let answer = await bench.post(webhook.body + filler, webhook.headers)
      let isLate = bench.uptime - start >= ConformanceLimits.acknowledgeTime
      // A server may also hang up before it has read all of it; one that hangs reads for ever.
      guard answer.map({ (400..<500).contains($0.status) }) ?? !isLate else {
        throw CheckEnd.failed("4 MiB got \(word(answer))")
      }
      _ = try await bench.open()
      return answer.map { "refused with \($0.status)" } ?? "the connection was ended"
    },
    ConformanceCheck(
      "webhook-unknown", "News of a kind that is not known is acknowledged and decides nothing",
      loss: "The provider adds a word, and the deliveries that you need are held up by it.",
      [unsigned[0], unsigned[1], .tebexWebhooks("Types: more than a shop has a use for")]
    ) { bench in
      try await bench.unknownNews()
    },
    ConformanceCheck(
      "webhook-validation", "The provider's question whether the address is yours is answered",
      loss: "Tebex sends nothing at all to an address that was not validated.",
      [.tebexWebhooks("validation.webhook is answered with 200 and its id")]
    ) { bench in
      let asked = try await bench.validation()
      let id = try? JSONValue(parsing: asked.body)["id"]?.text
      let answer = asked.answer.flatMap { try? JSONValue(parsing: $0.body)["id"]?.text }
      guard asked.answer?.status == 200, id != nil, answer == id else {
        throw CheckEnd.failed("answered \(word(asked.answer)), not with the id")
      }
      return "answered 200 with the id"
    },
  ]
}

extension CheckBench {
  /// Posts what is not genuine; whatever the answer is, there must be one.
  fileprivate func forge(_ body: [UInt8], _ headers: HTTPHeaders) async throws {
    guard await post(body, headers) != nil else {
      throw CheckEnd.failed("the forged delivery got no answer")
    }
  }

  /// A genuine delivery with a status that nobody knows, or of a type that few need.
  fileprivate func unknownNews() async throws -> String {
    if provider == .tebex {
      let payment = try await open()
      try await pay(payment)
      try await until(payment, .paid)
      await relay.hold(payment.names)
      let before = await relay.deliveries(naming: payment.names).count
      try await sandbox.setStatus(payment.entry, "dispute_opened")
      return try acknowledged(
        await deliver(try await deliveries(payment, count: before + 1)[before]))
    }
    let (_, webhook) = try await paidAndHeld()
    var text = webhook.text
    for word in ["authorized", "AUTHORIZED", "CAPTURED"] {
      text = text.replacing("\"\(word)\"", with: "\"on_hold\"")
    }
    return try acknowledged(await post(Array(text.utf8), webhook.headers))
  }

  private func acknowledged(_ answer: HTTPResponse?) throws -> String {
    guard let answer, (200..<300).contains(answer.status) else {
      throw CheckEnd.failed("answered \(word(answer))")
    }
    return "answered \(answer.status)"
  }
}
