import KitEnvironment
import PaymentModels
import ProviderSandbox
import StrictJSON
import SystemCrypto
import SystemRuntime

/// A shop for demos: products, payers who stand for the provider's test cases, and secrets made
/// anew each time. Everything lies in one directory.
struct DemoShop: Sendable {
  /// A payer who stands for one of Tabby's documented test cases.
  enum Payer: String, Sendable, CaseIterable {
    /// Passes the check before the page and pays.
    case approved
    /// Is refused before the page.
    case refused
    /// Is refused on the page, after the code.
    case declined

    var email: String { self == .declined ? "otp.rejected@tabby.ai" : "otp.success@tabby.ai" }
    var phone: String { self == .refused ? "+971500000002" : "+971500000001" }
  }

  let directory: String
  /// The language of the hosted pages.
  let language: String
  /// Who takes money that is held: the server (`automatic`) or an operator (`manual`).
  let capture: String
  /// Whether its server has the usual rate limits, or as good as none.
  let limitsRate: Bool
  let tabbyKey: Secret
  let webhookSecret: Secret
  let futaKey: Secret
  let futaWebhookSecret: Secret
  let raisKey: Secret
  let raisWebhookSecret: Secret
  let tebexKey: Secret
  let tebexWebhookSecret: Secret
  let sebSecret: Secret
  let operatorKey: Secret
  let fulfilmentSecret: Secret
  private let tokens: [Payer: Secret]

  /// The webhook header that the demo agrees on with its sandbox.
  static let webhookHeader = "X-Webhook-Token"

  init(
    directory: String, language: String = "en", capture: String = "automatic",
    limitsRate: Bool = true, environment: KitEnvironment
  ) {
    self.directory = directory
    self.language = language
    self.capture = capture
    self.limitsRate = limitsRate
    tabbyKey = Secret("sk_test_\(environment.newUUID())")
    webhookSecret = Secret("whk_\(environment.newUUID())")
    futaKey = Secret("futa_test_\(environment.newUUID())")
    futaWebhookSecret = Secret("whk_\(environment.newUUID())")
    raisKey = Secret("rais_sk_test_\(environment.newUUID())")
    raisWebhookSecret = Secret("whk_\(environment.newUUID())")
    tebexKey = Secret("tebex_test_\(environment.newUUID())")
    tebexWebhookSecret = Secret("whk_\(environment.newUUID())")
    sebSecret = Secret("seb_\(environment.newUUID())")
    operatorKey = Secret("op_\(environment.newUUID())")
    fulfilmentSecret = Secret("fulfil_\(environment.newUUID())")
    tokens = Dictionary(
      uniqueKeysWithValues: Payer.allCases.map { ($0, Secret("app_\(environment.newUUID())")) })
  }

  func token(_ payer: Payer) -> Secret {
    guard let token = tokens[payer] else { preconditionFailure("every payer has a token") }
    return token
  }

  var configurationFile: String { "\(directory)/till-server.json" }

  /// The server's store.
  var database: String { "\(directory)/till.sqlite" }

  /// The secrets as a server's environment.
  var environment: [String: String] {
    [
      "TILL_TABBY_SECRET_KEY": tabbyKey.reveal(),
      "TILL_TABBY_WEBHOOK_SECRET": webhookSecret.reveal(),
      "TILL_FUTA_SECRET_KEY": futaKey.reveal(),
      "TILL_FUTA_WEBHOOK_SECRET": futaWebhookSecret.reveal(),
      "TILL_RAIS_SECRET_KEY": raisKey.reveal(),
      "TILL_RAIS_WEBHOOK_SECRET": raisWebhookSecret.reveal(),
      "TILL_TEBEX_SECRET_KEY": tebexKey.reveal(),
      "TILL_TEBEX_WEBHOOK_SECRET": tebexWebhookSecret.reveal(),
      "TILL_SEB_CLIENT_SECRET": sebSecret.reveal(),
      "TILL_OPERATOR_KEY": operatorKey.reveal(),
      "TILL_FULFILMENT_SECRET": fulfilmentSecret.reveal(),
    ]
  }

  /// Writes the shop's files.
  ///
  /// - Parameter fulfilment: URL of the receiver of fulfilment messages, if there is one.
  func write(sandbox: String, fulfilment: String?, port: UInt16) throws(SystemError) {
    for file in files(sandbox: sandbox, fulfilment: fulfilment, port: port) {
      try Files.replace(file.path, with: file.json.serialized())
    }
  }

  /// The shop's files, the settings first.
  func files(
    sandbox: String, fulfilment: String?, port: UInt16
  ) -> [(path: String, json: JSONValue)] {
    var settings: [JSONMember] = [
      JSONMember(name: "listen_port", value: .integer(port)),
      JSONMember(name: "database", value: .string("till.sqlite")),
      JSONMember(name: "app_return_base", value: .string("tillshop://checkout")),
      JSONMember(name: "catalogue", value: .string("catalogue.json")),
      JSONMember(name: "buyers", value: .string("buyers.json")),
      JSONMember(name: "app_tokens", value: .string("app-tokens.json")),
      JSONMember(
        name: "operator_keys",
        value: .array([.object(["name": "demo", "key": env("TILL_OPERATOR_KEY")])])),
      JSONMember(name: "read_gap_ms", value: .integer(250)),
      JSONMember(name: "language", value: .string(language)),
      JSONMember(name: "capture", value: .string(capture)),
      JSONMember(name: "tabby", value: .array([account(sandbox)])),
      JSONMember(name: "futa", value: .array([futaAccount(sandbox)])),
      JSONMember(name: "rais", value: .array([raisAccount(sandbox)])),
      JSONMember(name: "tebex", value: .array([tebexAccount(sandbox)])),
      JSONMember(name: "seb", value: .array([sebAccount(sandbox)])),
    ]
    if !limitsRate { settings.append(Self.highLimits) }
    if let fulfilment {
      settings.append(
        JSONMember(
          name: "fulfilment",
          value: .object([
            "url": .string(fulfilment), "secret": env("TILL_FULFILMENT_SECRET"),
            // What a killed server was sending, the next one sends soon.
            "timeout_seconds": .integer(5),
          ])))
    }
    return [
      (configurationFile, .object(settings)), ("\(directory)/catalogue.json", Self.catalogue),
      ("\(directory)/buyers.json", Self.buyers), ("\(directory)/app-tokens.json", tokenFile),
    ]
  }

  private static let highLimits: JSONMember = {
    let high: JSONValue = .object(["per_minute": .integer(1_000_000), "burst": .integer(1_000_000)])
    return JSONMember(
      name: "rate_limits",
      value: .object(["app_token": high, "source": high, "webhook_source": high]))
  }()

  private func env(_ name: String) -> JSONValue { .object(["env": .string(name)]) }

  private func account(_ sandbox: String) -> JSONValue {
    .object([
      "account": "demo", "region": "emirates_and_kuwait", "merchant_code": "AE",
      "base_url": .string(sandbox), "secret_key": env("TILL_TABBY_SECRET_KEY"),
      "webhook_header": .object([
        "title": .string(Self.webhookHeader), "values": .array([env("TILL_TABBY_WEBHOOK_SECRET")]),
      ]),
    ])
  }

  private func futaAccount(_ sandbox: String) -> JSONValue {
    .object([
      "account": "demo", "mode": "test", "base_url": .string("\(sandbox)/futa"),
      "checkout_origin": .string(sandbox), "secret_key": env("TILL_FUTA_SECRET_KEY"),
      "app_return_url": .bool(true),
      "webhook": .object(["secrets": .array([env("TILL_FUTA_WEBHOOK_SECRET")])]),
    ])
  }

  private func raisAccount(_ sandbox: String) -> JSONValue {
    .object([
      "account": "demo", "base_url": .string("\(sandbox)/rais/v1"),
      "secret_key": env("TILL_RAIS_SECRET_KEY"),
      "webhook": .object(["secrets": .array([env("TILL_RAIS_WEBHOOK_SECRET")])]),
    ])
  }

  private func tebexAccount(_ sandbox: String) -> JSONValue {
    .object([
      "account": "demo", "mode": "test",
      "public_token": .string(TebexSandboxSettings.demoPublicToken),
      "headless_url": .string("\(sandbox)/tebex/headless/api"),
      "page_origin": .string("\(sandbox)/tebex/pay"), "private_key": env("TILL_TEBEX_SECRET_KEY"),
      "checkout": .object([
        "url": .string("\(sandbox)/tebex/checkout/api"), "username": env("TILL_TEBEX_SECRET_KEY"),
      ]),
      "webhook_secrets": .array([env("TILL_TEBEX_WEBHOOK_SECRET")]),
    ])
  }

  private func sebAccount(_ sandbox: String) -> JSONValue {
    .object([
      "account": "demo", "mode": "test", "client_id": "till-demo",
      "client_secret": env("TILL_SEB_CLIENT_SECRET"), "participant_id": "till-participant",
      "shop_agreement_id": "till-shop", "base_url": .string("\(sandbox)/seb"),
      "token_url": .string("\(sandbox)/seb/auth/token"),
    ])
  }

  private var tokenFile: JSONValue {
    let rows = Payer.allCases.map { payer -> JSONValue in
      .object([
        "subject": .string(payer.rawValue),
        "token_sha256": .string(FileAuthenticator.hash(token(payer))),
      ])
    }
    return .object(["tokens": .array(rows)])
  }

  private static let catalogue: JSONValue = .object([
    "products": .array([
      product("tee", "Cotton T-shirt", "85.00"), product("mug", "Coffee mug", "42.50"),
      product("lamp", "Desk lamp", "340.00"), product("solar", "Solar kit", "25000.00", "CDF"),
      product("torch", "Torch", "4000.00", "CDF"), product("radio", "Radio", "500000", "GNF"),
      // Tebex knows a product by its package's id.
      product("6276316", "100 Gold", "5.35", "USD"), product("6276317", "500 Gold", "19.99", "USD"),
      product("sauna", "Sauna bucket", "129.90", "EUR"),
    ])
  ])

  private static func product(
    _ id: String, _ title: String, _ price: String, _ currency: String = "AED"
  ) -> JSONValue {
    .object([
      "id": .string(id), "title": .string(title), "category": "home", "price": .string(price),
      "currency": .string(currency),
    ])
  }

  private static let buyers: JSONValue = .object([
    "buyers": .array(
      Payer.allCases.map { payer in
        .object([
          "subject": .string(payer.rawValue), "name": "Test Payer",
          "email": .string(payer.email), "phone": .string(payer.phone), "city": "Dubai",
          "address": "Test street 1", "zip": "00000", "registered_since": "2024-01-15",
          "successful_orders": .integer(3),
        ])
      })
  ])
}
