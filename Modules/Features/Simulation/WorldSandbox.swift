import KitEnvironment
import HTTPExchange
import PaymentModels
import ProviderSandbox
import StrictJSON

/// The fake providers of a world, each as far from its document's plain course as the seed wants.
extension SandboxStack.Settings {
  /// - Parameter misbehaving: providers whose open choices and faults are drawn.
  static func drawn(seed: UInt64, misbehaving: Set<String>) -> Self {
    var settings = Self()
    settings.tabby = TabbySandboxSettings(keys: [WorldProviders.tabbyKey])
    // Sessions that end within a world.
    settings.tabby.sessionLifeMs = 300_000
    settings.tabby.expiryDelayMs = 60_000
    settings.futa.keys = [WorldProviders.futaKey]
    settings.futa.allowsAppReturnURL = true
    settings.rais.keys = [WorldProviders.raisKey]
    settings.rais.lifeMs = 600_000
    settings.tebex.keys = [WorldProviders.tebexKey]
    var client = SEBSandboxClient.demo
    client.secret = WorldProviders.sebSecret
    settings.seb.clients = [client]
    settings.seb.lifeMs = 900_000
    settings.agreeOnWebhooks()
    for provider in misbehaving.sorted() {
      var words = SeededWords(seed: seed, name: "sandbox \(provider)")
      switch provider {
      case "tabby": settings.tabby.draw(&words)
      case "futa": settings.futa.draw(&words)
      case "rais": settings.rais.draw(&words)
      case "tebex": settings.tebex.draw(&words)
      default: settings.seb.draw(&words)
      }
    }
    return settings
  }

  private mutating func agreeOnWebhooks() {
    func url(_ provider: String) -> String { "\(WorldShop.serverURL)/webhooks/\(provider)" }
    func secret(_ provider: String) -> String {
      WorldProviders.webhookSecret(provider, 0).reveal()
    }
    (futa.webhookURL, futa.webhookSecret) = (url("futa"), secret("futa"))
    (rais.webhookURL, rais.webhookSecret) = (url("rais"), secret("rais"))
    (tebex.webhookURL, tebex.webhookSecret) = (url("tebex"), secret("tebex"))
    seb.webhookURL = url("seb")
  }
}

extension SandboxStack {
  /// What a merchant does once at Tabby; the others are told by their settings.
  static var tabbyRegistration: HTTPRequest { tabbyWebhooks("POST", "", generation: 0) }

  /// A call to Tabby about registrations, with the header of a generation if it takes one.
  static func tabbyWebhooks(
    _ method: String, _ path: String, generation: Int? = nil
  ) -> HTTPRequest {
    let body = generation.map { generation -> JSONValue in
      .object([
        "url": .string("\(WorldShop.serverURL)/webhooks/tabby"),
        "header": .object([
          "title": .string(WorldProviders.tabbyHeader),
          "value": .string(WorldProviders.webhookSecret("tabby", generation).reveal()),
        ]),
      ])
    }
    return HTTPRequest(
      method: method, target: "/api/v1/webhooks\(path)",
      headers: [
        "Authorization": "Bearer \(WorldProviders.tabbyKey.reveal())", "X-Merchant-Code": "AE",
        "Content-Type": "application/json",
      ], body: body?.serialized() ?? [])
  }

  /// Has a provider move a payment by itself.
  static func move(_ payment: String, to status: String) -> HTTPRequest {
    HTTPRequest(
      method: "POST", target: "/sandbox/payments/\(payment)/status",
      headers: ["Content-Type": "application/json"],
      body: JSONValue.object(["status": .string(status)]).serialized())
  }

  /// Has a provider sign by another secret from now on.
  static func rotation(_ provider: String, _ generation: Int) -> HTTPRequest {
    HTTPRequest(
      method: "POST", target: "/sandbox/settings/\(provider)",
      headers: ["Content-Type": "application/json"],
      body: JSONValue.object([
        "webhook_secret": .string(WorldProviders.webhookSecret(provider, generation).reveal())
      ]).serialized())
  }
}

extension SeededWords {
  /// Some answers that go wrong.
  fileprivate mutating func answers<Call>(_ calls: [Call]) -> [AnswerFault<Call>] {
    (0..<below(5)).map { _ in
      AnswerFault(
        call: calls[below(calls.count)],
        kind: AnswerFaultKind.allCases[below(AnswerFaultKind.allCases.count)],
        times: Int64(1 + below(3)), delayMs: Int64(below(20_000)))
    }
  }

  /// A wait that is mostly short, and seldom hours.
  fileprivate mutating func lag() -> Int64 {
    chance(10) ? Int64(below(7_200_000)) : Int64(below(60_000))
  }
}

extension TabbySandboxSettings {
  fileprivate mutating func draw(_ words: inout SeededWords) {
    sendsExpireEvent = words.chance(50)
    prescoreRejectedStatus = words.chance(50) ? .created : .rejected
    allowsLateAuthorization = words.chance(50)
    reusedReference = words.chance(50) ? .replay : .refuse
    faults.webhookCopies = Int64(1 + words.below(2))
    faults.dropsWebhooks = words.chance(20)
    faults.webhookDelaysMs = [words.lag(), Int64(words.below(5_000))]
    faults.cancelLeavesCreated = words.chance(30)
    faults.authorizeDelayMs = words.chance(50) ? 0 : words.lag()
    faults.answers = words.answers([.create, .read, .capture, .refund, .close])
    faults.isDisputed = words.chance(10)
    // So often that the page has had its time when the create is answered at last.
    if words.chance(10) {
      sendsExpireEvent = true
      faults.answers.insert(
        TabbyAnswerFault(call: .create, kind: .lost, times: Int64(6 + words.below(5))), at: 0)
    }
  }
}

extension FutaSandboxSettings {
  fileprivate mutating func draw(_ words: inout SeededWords) {
    allowsLatePayment = words.chance(50)
    addsReturnParameters = words.chance(50)
    cancelEnds = words.chance(30)
    conflictStatus = words.chance(50) ? 409 : 422
    faults.webhookCopies = Int64(1 + words.below(2))
    faults.dropsWebhooks = words.chance(20)
    faults.webhookDelayMs = words.lag()
    faults.outcomeDelayMs = words.chance(50) ? 0 : words.lag()
    faults.answers = words.answers(FutaCall.allCases)
  }
}

extension RaisSandboxSettings {
  fileprivate mutating func draw(_ words: inout SeededWords) {
    cancelEnds = words.chance(30)
    showsCurrency = words.chance(50)
    addsAllToCancel = words.chance(50)
    faults.webhookCopies = Int64(1 + words.below(2))
    faults.dropsWebhooks = words.chance(20)
    faults.webhookDelayMs = words.lag()
    faults.paidDelayMs = words.chance(50) ? 0 : Int64(words.below(60_000))
    faults.answers = words.answers(RaisCall.allCases)
  }
}

extension TebexSandboxSettings {
  fileprivate mutating func draw(_ words: inout SeededWords) {
    wrapsAddAnswer = words.chance(50)
    refundsLater = words.chance(50)
    faults.webhookCopies = Int64(1 + words.below(2))
    faults.dropsWebhooks = words.chance(20)
    faults.webhookDelayMs = words.lag()
    faults.completeDelayMs = words.chance(50) ? 0 : words.lag()
    faults.answers = words.answers(TebexCall.allCases)
  }
}

extension SEBSandboxSettings {
  fileprivate mutating func draw(_ words: inout SeededWords) {
    redirectPlace = words.chance(50) ? .flat : .links
    showsNumbers = words.chance(50)
    answersWithPayment = words.chance(70)
    tokenLifeMs = words.chance(50) ? 300_000 : 45_000
    faults.settleDelayMs = words.lag()
    faults.bankFails = words.chance(15)
    faults.refundDelayMs = words.chance(50) ? 0 : words.lag()
    faults.webhookCopies = Int64(1 + words.below(2))
    faults.dropsWebhooks = words.chance(20)
    faults.webhookDelayMs = words.lag()
    faults.answers = words.answers(SEBCall.allCases)
  }
}
