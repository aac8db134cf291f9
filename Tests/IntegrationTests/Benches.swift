import FutaProvider
import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import ProviderSandbox
import RaisProvider
import SEBProvider
import StrictJSON
import TabbyProvider
import TebexProvider
import TestSupport

extension BenchKind {
  /// Every provider with a sandbox.
  static let all: [BenchKind] = [tabby, tebex, futa, rais, seb, sebWithCaptures]
}

/// Terms of order `number`, with an amount of its own.
func benchTerms(
  _ number: Int, _ currency: String, _ change: (inout CheckoutTerms) -> Void = { _ in }
) throws -> CheckoutTerms {
  let total = Money(minorUnits: 14_003 + Int64(number) * 37, currency: Sample.currency(currency))
  return .sample(total) {
    $0.orderID = Sample.orderID(number)
    $0.paymentID = Sample.paymentID(number)
    change(&$0)
  }
}

private let hookSecret = Secret("hook-secret-0001")

extension BenchKind {
  static let tabby = BenchKind("Tabby") { site in
    let sandbox = TabbySandbox(
      environment: site.environment, transport: site.transport,
      publicURL: site.origin)
    let key = TabbySandboxSettings.demoSecretKey
    let header = try TabbyWebhookHeader(title: "X-Shop", values: [hookSecret])
    return BenchParts(
      client: {
        TabbyProvider(
          try TabbyConfiguration(
            account: ProviderAccount("main"), secretKey: key, merchantCode: "AE",
            region: .emiratesAndKuwait, baseURL: site.origin, webhookHeader: header),
          transport: $0, hashing: site.environment.hashing)
      },
      server: sandbox, run: { await sandbox.run() },
      prepare: {
        let answer = try await site.transport.send(
          HTTPOutgoing(
            method: "POST", url: "\(site.origin)/api/v1/webhooks",
            headers: ["Authorization": "Bearer \(key.reveal())", "X-Merchant-Code": "AE"],
            body: Array(
              (#"{"url":"\#(site.webhookURL)","header":{"title":"X-Shop","value":""#
                + #"\#(hookSecret.reveal())"}}"#).utf8)))
        guard answer.status == 200 else { throw FixtureError() }
      },
      terms: { try benchTerms($0, "AED") { $0.buyer.email = "otp.success@tabby.ai" } },
      stranger: ProviderPaymentID("00000000-9d1a-4d0b-8f53-0a5b7d6c2e11"),
      words: AnswerWords(
        status: "status",
        optional: ["expires_at", "order", "meta", "is_test", "refunds", "product"],
        page: "configuration.available_products.installments.0.web_url"),
      pay: { browser, page in
        await browser.logIn(page)
        await browser.submit()
      },
      declined: { browser, page in
        await browser.logIn(page)
        await browser.submit(["method": "bank"])
        await browser.follow("bank")
        await browser.submit(["decision": "decline"])
      })
  }

  static let futa = BenchKind("Futa") { site in
    var settings = FutaSandboxSettings()
    settings.webhookURL = site.webhookURL
    settings.webhookSecret = hookSecret.reveal()
    let sandbox = FutaSandbox(
      settings: settings, environment: site.environment, transport: site.transport,
      publicURL: site.origin)
    return BenchParts(
      client: {
        var choices = FutaSettings(baseURL: site.origin)
        choices.mode = .test
        choices.checkoutOrigin = site.origin
        choices.webhook = PaymentDeliverySettings.futa(secrets: [hookSecret])
        return FutaProvider(
          try FutaConfiguration(
            account: ProviderAccount("main"), secretKey: FutaSandboxSettings.demoSecretKey,
            settings: choices),
          transport: $0, environment: site.environment)
      },
      server: sandbox, run: { await sandbox.run() },
      terms: { try benchTerms($0, "CDF") },
      stranger: ProviderPaymentID("pay_nobody"),
      words: AnswerWords(
        status: "state",
        optional: ["expires_at", "merchant_reference", "checkout_url", "amount", "description"],
        page: "checkout_url"),
      pay: { browser, page in
        await browser.open(page)
        await browser.submit(["msisdn": "0810000001"])
      },
      declined: { browser, page in
        await browser.open(page)
        await browser.submit(["msisdn": "0810000002"])
      })
  }

  static let rais = BenchKind("Raïs") { site in
    var settings = RaisSandboxSettings()
    settings.webhookURL = site.webhookURL
    settings.webhookSecret = hookSecret.reveal()
    let sandbox = RaisSandbox(
      settings: settings, environment: site.environment, transport: site.transport,
      publicURL: site.origin)
    return BenchParts(
      client: {
        var choices = RaisSettings()
        choices.baseURL = "\(site.origin)/v1"
        choices.webhook = PaymentDeliverySettings.rais(secrets: [hookSecret])
        return RaisProvider(
          try RaisConfiguration(
            account: ProviderAccount("main"), secretKey: RaisSandboxSettings.demoSecretKey,
            settings: choices),
          transport: $0, environment: site.environment)
      },
      server: sandbox, run: { await sandbox.run() },
      terms: { try benchTerms($0, "GNF") },
      stranger: ProviderPaymentID("00000000-9d1a-4d0b-8f53-0a5b7d6c2e11"),
      words: AnswerWords(
        status: "status", optional: ["expires_at", "reference", "checkout_url", "amount"],
        page: "checkout_url"),
      pay: { browser, page in
        await browser.open(page)
        await browser.submit(["card_number": "4000000000000001"])
        await browser.submit(["otp": "1234"])
      },
      declined: { browser, page in
        await browser.open(page)
        await browser.submit(["card_number": "4000000000000002"])
      })
  }

  static let seb = BenchKind("SEB") { try sebParts($0, capture: .automatic) }

  static let sebWithCaptures = BenchKind("SEB with captures") {
    try sebParts($0, capture: .separate)
  }

  private static func sebParts(
    _ site: BenchSite, capture: ProviderCapabilities.Capture
  ) throws -> BenchParts {
    var settings = SEBSandboxSettings()
    settings.webhookURL = site.webhookURL
    settings.capturesAtOnce = capture == .automatic
    let sandbox = SEBSandbox(
      settings: settings, environment: site.environment, transport: site.transport,
      publicURL: site.origin)
    let demo = SEBSandboxClient.demo
    return BenchParts(
      client: {
        var choices = SEBSettings()
        choices.baseURL = site.origin
        choices.tokenURL = "\(site.origin)/auth/token"
        choices.capture = capture
        choices.operations = .assumed
        choices.operations?.allowsPartialRefunds = capture == .separate
        return SEBProvider(
          try SEBConfiguration(
            account: ProviderAccount("main"), mode: .test,
            credentials: SEBCredentials(
              clientID: demo.id, clientSecret: demo.secret, participantID: demo.participantID,
              shopAgreementID: demo.shopAgreementID), settings: choices),
          transport: $0, environment: site.environment)
      },
      server: sandbox, run: { await sandbox.run() },
      terms: { try benchTerms($0, "EUR") },
      stranger: ProviderPaymentID("00000000-9d1a-4d0b-8f53-0a5b7d6c2e11"),
      words: AnswerWords(
        status: "paymentStatus",
        optional: [
          "createdAt", "environment", "orderNumber", "merchantReference", "participantId",
          "instructedAmount", "capturedAmount", "refundedAmount",
        ], page: "checkoutRedirect"),
      pay: { browser, page in
        await browser.open(page)
        await browser.follow("card")
        await browser.submit(["card_number": "5186000000000005"])
        await browser.submit(["otp": "1234"])
      },
      declined: { browser, page in
        await browser.open(page)
        await browser.follow("card")
        await browser.submit(["card_number": "5186000000000013"])
      })
  }
}

extension BenchKind {
  static let tebex = BenchKind("Tebex") { site in
    var settings = TebexSandboxSettings()
    settings.webhookURL = site.webhookURL
    settings.webhookSecret = hookSecret.reveal()
    let sandbox = TebexSandbox(
      settings: settings, environment: site.environment, transport: site.transport,
      publicURL: site.origin)
    return BenchParts(
      client: {
        var choices = TebexSettings()
        choices.mode = .test
        choices.headlessURL = "\(site.origin)/headless/api"
        choices.pageOrigin = "\(site.origin)/pay"
        choices.privateKey = TebexSandboxSettings.demoSecretKey
        choices.checkout = TebexCheckoutSettings(
          username: Secret(TebexSandboxSettings.demoProject),
          password: TebexSandboxSettings.demoSecretKey)
        choices.checkout?.url = "\(site.origin)/checkout/api"
        choices.webhookSecrets = [hookSecret]
        return TebexProvider(
          try TebexConfiguration(
            account: ProviderAccount("main"),
            publicToken: TebexSandboxSettings.demoPublicToken, settings: choices),
          transport: $0, environment: site.environment)
      },
      server: sandbox, run: { await sandbox.run() }, terms: { try tebexTerms($0) },
      stranger: ProviderPaymentID("1a-none"),
      words: AnswerWords(
        status: "data.complete", hasStatusWord: false,
        optional: [
          "data.base_price", "data.email", "data.country", "data.links", "data.sales_tax",
        ],
        page: "data.links.checkout"),
      pay: { browser, page in
        await browser.open(page)
        await browser.submit(["method": "test"])
      },
      declined: { browser, page in
        await browser.open(page)
        await browser.submit(["method": "declined"])
      })
  }

  /// A basket is of packages that the store has, at its prices.
  private static func tebexTerms(_ number: Int) throws -> CheckoutTerms {
    let (id, price) = number == 1 ? ("6276316", "5.35") : ("6276317", "19.99")
    let total = try isoMoney(price, "USD")
    return try benchTerms(number, "USD") {
      $0.total = total
      $0.lines = [
        OrderLine(productID: id, title: "Gold", category: "gold", quantity: 1, unitPrice: total)
      ]
    }
  }
}
