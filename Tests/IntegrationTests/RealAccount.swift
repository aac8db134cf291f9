import CurlTransport
import FutaProvider
import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import RaisProvider
import SEBProvider
import SystemCrypto
import SystemRuntime
import TabbyProvider
import TebexProvider
import TestSupport

/// A test account of somebody's at a provider's own server, named by variables of the environment
/// (CONTRIBUTING, *The provider contract*). It moves no money: a live key is refused.
struct RealAccount: Sendable {
  /// Variables without which there is none.
  let required: [String]
  private let build: @Sendable ([String: String], RealSite) throws -> RealParts

  private init(
    _ required: [String],
    _ build: @escaping @Sendable ([String: String], RealSite) throws -> RealParts
  ) {
    self.required = required
    self.build = build
  }

  private static let variables = ProcessFacts.environment()

  /// Whether all variables are there.
  var isNamed: Bool { required.allSatisfy { Self.variables[$0]?.isEmpty == false } }

  /// Why nothing is tested, for whoever reads the report.
  var absence: String { "no test account is named: set \(required.joined(separator: ", "))" }

  /// Hands over a bench at the real server: without a payer, without webhooks, with true answers.
  func bench<Value>(_ body: (ProviderBench) async throws -> Value) async throws -> Value {
    let environment = KitEnvironment(
      clock: .system(), random: .system(), log: .silent, hashing: .openSSL)
    let curl = CurlTransport()
    let wire = ClosureTransport { request throws(HTTPTransportError) in
      try await curl.send(request)
    }
    let parts = try build(Self.variables, RealSite(transport: wire, environment: environment))
    guard parts.provider.mode == .test else { throw FixtureError() }
    // Fresh ids for each bench: a key of an earlier run belongs to that run's payment.
    let ids = (0...2).map { _ in environment.newUUID() }
    let bench = ProviderBench(
      provider: parts.provider, run: ids[0], sentCount: { wire.sent.count },
      terms: { number in
        var terms = try parts.terms(number)
        (terms.orderID, terms.paymentID) = (OrderID(ids[number]), PaymentID(ids[number]))
        return terms
      }, stranger: parts.stranger,
      words: AnswerWords(status: "", optional: [], page: ""), spoiler: nil, payer: nil,
      nextDelivery: nil)
    let result: Result<Value, any Error>
    do { result = .success(try await body(bench)) } catch { result = .failure(error) }
    await curl.close()
    return try result.get()
  }
}

struct RealSite: Sendable {
  let transport: any HTTPTransport
  let environment: KitEnvironment
}

private struct RealParts {
  let provider: any PaymentProvider
  let terms: @Sendable (Int) throws -> CheckoutTerms
  let stranger: ProviderPaymentID
}

extension RealAccount {
  static let tabby = RealAccount(
    ["TILL_CONTRACT_TABBY_SECRET_KEY", "TILL_CONTRACT_TABBY_MERCHANT_CODE"]
  ) { variables, site in
    let isSaudi = variables["TILL_CONTRACT_TABBY_REGION"] == "saudi_arabia"
    return RealParts(
      provider: TabbyProvider(
        try TabbyConfiguration(
          account: ProviderAccount("contract"),
          secretKey: Secret(variables["TILL_CONTRACT_TABBY_SECRET_KEY"] ?? ""),
          merchantCode: variables["TILL_CONTRACT_TABBY_MERCHANT_CODE"] ?? "",
          region: isSaudi ? .saudiArabia : .emiratesAndKuwait),
        transport: site.transport, hashing: site.environment.hashing),
      terms: {
        try benchTerms($0, isSaudi ? "SAR" : "AED") {
          $0.buyer.email = "otp.success@tabby.ai"
          $0.buyer.phone = isSaudi ? "+966500000001" : "+971500000001"
        }
      },
      stranger: ProviderPaymentID("00000000-9d1a-4d0b-8f53-0a5b7d6c2e11"))
  }

  static let futa = RealAccount(
    ["TILL_CONTRACT_FUTA_SECRET_KEY", "TILL_CONTRACT_FUTA_BASE_URL"]
  ) { variables, site in
    var settings = FutaSettings(baseURL: variables["TILL_CONTRACT_FUTA_BASE_URL"] ?? "")
    settings.mode = .test
    settings.checkoutOrigin = variables["TILL_CONTRACT_FUTA_CHECKOUT_ORIGIN"]
    return RealParts(
      provider: FutaProvider(
        try FutaConfiguration(
          account: ProviderAccount("contract"),
          secretKey: Secret(variables["TILL_CONTRACT_FUTA_SECRET_KEY"] ?? ""),
          settings: settings),
        transport: site.transport, environment: site.environment),
      terms: { try benchTerms($0, "CDF") }, stranger: ProviderPaymentID("pay_nobody"))
  }

  static let rais = RealAccount(["TILL_CONTRACT_RAIS_SECRET_KEY"]) { variables, site in
    var settings = RaisSettings()
    settings.currency = variables["TILL_CONTRACT_RAIS_CURRENCY"]
    settings.exponent = variables["TILL_CONTRACT_RAIS_EXPONENT"].flatMap { Int($0) }
    return RealParts(
      provider: RaisProvider(
        try RaisConfiguration(
          account: ProviderAccount("contract"),
          secretKey: Secret(variables["TILL_CONTRACT_RAIS_SECRET_KEY"] ?? ""),
          settings: settings),
        transport: site.transport, environment: site.environment),
      terms: { [currency = settings.currency] in try benchTerms($0, currency ?? "GNF") },
      stranger: ProviderPaymentID("00000000-9d1a-4d0b-8f53-0a5b7d6c2e11"))
  }

  static let tebex = RealAccount(
    [
      "TILL_CONTRACT_TEBEX_PUBLIC_TOKEN", "TILL_CONTRACT_TEBEX_PACKAGE",
      "TILL_CONTRACT_TEBEX_PRICE",
    ]
  ) { variables, site in
    let currency = variables["TILL_CONTRACT_TEBEX_CURRENCY"] ?? "USD"
    let package = variables["TILL_CONTRACT_TEBEX_PACKAGE"] ?? ""
    let price = try isoMoney(variables["TILL_CONTRACT_TEBEX_PRICE"] ?? "", currency)
    var settings = TebexSettings()
    settings.mode = .test
    settings.currency = currency
    return RealParts(
      provider: TebexProvider(
        try TebexConfiguration(
          account: ProviderAccount("contract"),
          publicToken: variables["TILL_CONTRACT_TEBEX_PUBLIC_TOKEN"] ?? "", settings: settings),
        transport: site.transport, environment: site.environment),
      terms: { number in
        // A basket costs what its packages cost, so other terms are more of the same package.
        guard let total = price.multiplied(by: Int64(number) + 1) else { throw FixtureError() }
        return try benchTerms(number, currency) {
          $0.total = total
          $0.lines = [
            OrderLine(
              productID: package, title: "Package", category: "test", quantity: Int64(number) + 1,
              unitPrice: price)
          ]
        }
      },
      stranger: ProviderPaymentID("1a-0000000000000000000000000000000000000000"))
  }

  static let seb = RealAccount(
    [
      "TILL_CONTRACT_SEB_CLIENT_ID", "TILL_CONTRACT_SEB_CLIENT_SECRET",
      "TILL_CONTRACT_SEB_PARTICIPANT_ID", "TILL_CONTRACT_SEB_SHOP_AGREEMENT_ID",
    ]
  ) { variables, site in
    var settings = SEBSettings()
    settings.baseURL = variables["TILL_CONTRACT_SEB_BASE_URL"]
    settings.tokenURL = variables["TILL_CONTRACT_SEB_TOKEN_URL"]
    return RealParts(
      provider: SEBProvider(
        try SEBConfiguration(
          account: ProviderAccount("contract"), mode: .test,
          credentials: SEBCredentials(
            clientID: variables["TILL_CONTRACT_SEB_CLIENT_ID"] ?? "",
            clientSecret: Secret(variables["TILL_CONTRACT_SEB_CLIENT_SECRET"] ?? ""),
            participantID: variables["TILL_CONTRACT_SEB_PARTICIPANT_ID"] ?? "",
            shopAgreementID: variables["TILL_CONTRACT_SEB_SHOP_AGREEMENT_ID"] ?? ""),
          settings: settings),
        transport: site.transport, environment: site.environment),
      terms: { try benchTerms($0, "EUR") },
      stranger: ProviderPaymentID("00000000-9d1a-4d0b-8f53-0a5b7d6c2e11"))
  }
}
