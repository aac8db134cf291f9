import StrictJSON

/// What `till init` writes for an account for tests at one provider.
struct AccountDraft: Sendable {
  /// Something that only the provider can give.
  struct Need: Hashable, Sendable {
    /// Its place in the settings, as the reader of the settings names it.
    var setting: String
    /// The variable of the server's environment that holds it; nil if it stands in the settings.
    var variable: String?
    /// Where to get it.
    var origin: String
    /// What a local sandbox takes in its place.
    var standIn: String
  }

  /// A secret that is the merchant's own to choose.
  struct OwnSecret: Hashable, Sendable {
    var variable: String
    /// How it begins, so that it is known by its looks.
    var prefix: String
    var use: String
  }

  /// Something to sell in a currency that the provider takes.
  struct Product: Hashable, Sendable {
    var id: String
    var title: String
    var price: String
    var currency: String
  }

  var needs: [Need]
  var ownSecrets: [OwnSecret] = []
  var product: Product
  /// Address and number of a payer whom the provider's test environment lets pay.
  var payer: (email: String, phone: String)?
  /// Whether payers come back to addresses of the web alone, which open the app.
  var returnsToWeb = false
  /// The account's entry in the settings, given what is known of ``needs`` by their settings.
  var entry: @Sendable (_ values: [String: String]) -> String

  /// Those that a server can be configured with, a line for each, in the order in which the kit
  /// names them.
  ///
  /// - Parameter sandbox: where sandboxes stand for the providers.
  static func all(sandbox: String?) -> [(name: String, draft: AccountDraft)] {
    [
      ("tabby", tabbyDraft(sandbox)),
      ("futa", futaDraft(sandbox)),
      ("rais", raisDraft(sandbox)),
      ("tebex", tebexDraft(sandbox)),
      ("seb", sebDraft(sandbox)),
    ]
  }

  /// Where local sandboxes are unless somebody says so.
  static let usualSandbox = "http://127.0.0.1:4010"

  /// A text as JSON has it.
  static func quoted(_ text: String?) -> String {
    String(decoding: JSONValue.string(text ?? "").serialized(), as: UTF8.self)
  }

  /// A line of an entry with another place than the provider's own; none without a sandbox.
  static func place(_ setting: String, _ sandbox: String?, _ path: String) -> String {
    guard let sandbox else { return "" }
    return "\n      \"\(setting)\": \(quoted(sandbox + path)),"
  }
}
