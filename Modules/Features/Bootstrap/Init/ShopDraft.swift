import KitEnvironment
import PaymentModels

/// The files of a new shop, with comments, secrets of its own made anew.
struct ShopDraft: Sendable {
  /// A file, and whether users other than its owner may read it.
  struct File: Sendable {
    var name: String
    var text: String
    var isSecret: Bool
    /// What it holds, for the list of what was written.
    var use: String
  }

  let accounts: [AccountDraft]
  /// What is known of that which providers give, by setting.
  private(set) var values: [String: String]
  private let ownSecrets: [AccountDraft.OwnSecret]
  private let made: [String: String]
  private let appToken: Secret

  /// - Parameter isComplete: whether stand-ins take the place of what the providers give.
  init(accounts: [AccountDraft], isComplete: Bool, environment: KitEnvironment) {
    self.accounts = accounts
    values = [:]
    ownSecrets = Self.shopSecrets + accounts.flatMap(\.ownSecrets)
    made = Dictionary(
      uniqueKeysWithValues: ownSecrets.map {
        ($0.variable, "\($0.prefix)\(environment.newUUID())")
      })
    appToken = Secret("app_\(environment.newUUID())")
    if isComplete { for need in needs { fill(need) } }
  }

  private static let shopSecrets = [
    AccountDraft.OwnSecret(
      variable: "TILL_OPERATOR_KEY", prefix: "op_", use: "opens the dashboard, and lets till act"),
    AccountDraft.OwnSecret(
      variable: "TILL_METRICS_KEY", prefix: "mon_", use: "opens /metrics to the monitoring"),
    AccountDraft.OwnSecret(
      variable: "TILL_FULFILMENT_SECRET", prefix: "ful_",
      use: "signs fulfilment messages, once the settings name their receiver"),
  ]

  var needs: [AccountDraft.Need] { accounts.flatMap(\.needs) }

  /// How many secrets of ours there are.
  var madeCount: Int { made.count + 1 }

  /// Puts the stand-in in the place of what the provider gives.
  mutating func fill(_ need: AccountDraft.Need) { values[need.setting] = need.standIn }

  /// The server's environment, as its file has it.
  var environment: [String: String] {
    var variables = made
    for need in needs {
      guard let variable = need.variable else { continue }
      variables[variable] = values[need.setting] ?? ""
    }
    return variables
  }

  static let settingsName = "till-server.json"
  static let secretsName = "till-server.env"

  /// Those that others name first, the settings last: without them nothing starts.
  var files: [File] {
    [
      File(
        name: "catalogue.json", text: catalogue, isSecret: false, use: "a product to begin with"),
      File(name: "buyers.json", text: buyers, isSecret: true, use: "a buyer for tests"),
      File(
        name: "app-tokens.json", text: tokens, isSecret: true, use: "the hash of the app token"),
      File(
        name: Self.secretsName, text: serverEnvironment, isSecret: true,
        use: "the server's secrets"),
      File(name: "till.env", text: tillEnvironment, isSecret: true, use: "what till takes"),
      File(name: Self.settingsName, text: settings, isSecret: false, use: "the settings"),
    ]
  }

  /// The settings, with comments.
  var settings: String {
    """
    // Settings of till-server; Docs/Operations.md has all of them. A line that begins with // is a
    // comment. Secrets stand in the environment, which \(Self.secretsName) holds.
    {
      // Behind a proxy that speaks TLS on the same machine. 0.0.0.0 stands for every address.
      "listen_address": "127.0.0.1",
      "listen_port": 8080,
      // Made at the first start, beside this file unless the path is absolute.
      "database": "till.sqlite",
    \(wayBack)
      "catalogue": "catalogue.json",
      "buyers": "buyers.json",
      "app_tokens": "app-tokens.json",
      // One for each of the staff and their tools; the name stands in the journal.
      "operator_keys": [{"name": "owner", "key": {"env": "TILL_OPERATOR_KEY"}}],
      "metrics_key": {"env": "TILL_METRICS_KEY"},
      // Who is told what to deliver, once there is such a receiver:
      // "fulfilment": {
      //   "url": "http://127.0.0.1:4020/", "secret": {"env": "TILL_FULFILMENT_SECRET"}
      // },
    \(accounts.map { $0.entry(values) }.joined(separator: "\n"))
      // Who takes money that is held: the server (automatic), or an operator (manual).
      "capture": "automatic"
    }

    """
  }

  private var wayBack: String {
    guard accounts.contains(where: \.returnsToWeb) else {
      return """
          // Where payers come back to: a link that opens your app.
          "app_return_base": "myshop://checkout",
        """
    }
    return """
        // Where payers come back to: an address of this server that opens your app, since not every
        // one of these providers takes a link of the app's own.
        "app_return_base": "https://pay.shop.example/return",
        // Where the pages below it lead.
        "app_deep_link": "myshop://checkout",
      """
  }

  private var serverEnvironment: String {
    var text = """
      # Secrets of till-server, a line each, for EnvironmentFile= of systemd or
      #   set -a; . ./\(Self.secretsName); set +a
      # The settings name them. Whoever reads this file can act for the shop.

      """
    for secret in ownSecrets {
      text +=
        "\n# Made for you: \(secret.use).\n\(secret.variable)=\(made[secret.variable] ?? "")\n"
    }
    for need in needs {
      guard let variable = need.variable else { continue }
      text += "\n# \(need.origin).\n\(variable)=\(values[need.setting] ?? "")\n"
    }
    return text
  }

  private var tillEnvironment: String {
    """
    # What till takes from a terminal:
    #   set -a; . ./till.env; set +a
    TILL_SERVER=http://127.0.0.1:8080
    TILL_OPERATOR_KEY=\(made["TILL_OPERATOR_KEY"] ?? "")
    # The token of the buyer u1, as an app sends it.
    TILL_APP_TOKEN=\(appToken.reveal())

    """
  }

  private var catalogue: String {
    let rows = accounts.map { account in
      let product = account.product
      return """
            {"id": "\(product.id)", "title": "\(product.title)", "category": "home", \
        "price": "\(product.price)", "currency": "\(product.currency)"}
        """
    }
    return """
      // What can be bought, in decimal prices. Your own cart takes its place: see OrderSource.
      {
        "products": [
      \(rows.joined(separator: ",\n"))
        ]
      }

      """
  }

  private var buyers: String {
    let payer = accounts.compactMap(\.payer).first ?? ("payer@example.com", "+971500000001")
    return """
      // Who buys; the subject is your own user id. Your accounts take its place: see BuyerSource.
      {
        "buyers": [
          {"subject": "u1", "name": "Test Payer", "email": "\(payer.email)",
           "phone": "\(payer.phone)", "city": "Dubai", "address": "Test street 1", "zip": "00000"}
        ]
      }

      """
  }

  private var tokens: String {
    """
    // SHA-256 of the tokens that apps send: printf %s "$TOKEN" | sha256sum
    {
      "tokens": [
        {"subject": "u1", "token_sha256": "\(FileAuthenticator.hash(appToken))"}
      ]
    }

    """
  }
}
