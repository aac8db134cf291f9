import PaymentModels
import StrictJSON

/// What the suite has to know of a backend: its routes, where its answers say what, its words, and
/// its account at each provider's sandbox.
public struct ConformanceAdapter: Sendable {
  /// A call of the backend, with `{name}` where a value goes.
  struct Call: Sendable {
    let method: String
    let path: String
    let headers: [(name: String, value: String)]
    let body: JSONValue?
  }

  /// The suite's own words for where a payment stands.
  enum Standing: String, Sendable, CaseIterable {
    case paid, authorized, refunded, failed
    /// Whatever the adapter maps to no other.
    case waiting
  }

  /// A place in an answer and the values there that mean a standing.
  struct Word: Sendable {
    let standing: Standing
    let pointer: String
    let values: [String]
  }

  /// Pointers into the answers to a create and a read.
  struct Places: Sendable {
    let payment: String
    let order: String
    let page: String
    let providerPayment: String?
    let refunded: String?
    let verificationKey: String?
  }

  /// How the backend's message to the shop is read: it tells that goods go out.
  struct Fulfilment: Sendable {
    let order: String
    /// What makes a repeated message the same one: a header's name, or a pointer.
    let idHeader: String?
    let idPointer: String?
    let type: String?
    let values: [String]
  }

  /// The backend's account at one provider.
  struct Account: Sendable {
    let provider: ConformanceProvider
    let webhookPath: String
    let product: String
    let otherProduct: String
    let amount: String
    let currency: String
    /// The server's key at the provider.
    let key: Secret?
    let webhookSecret: Secret?
    let webhookHeader: String?
    let merchantCode: String?
    /// Whether staff take held money later, so that the backend asks for none of it by itself.
    let capturesByHand: Bool

    /// What no app may ever be told.
    var secrets: [Secret] { [key, webhookSecret].compactMap(\.self) }
  }

  let create: Call
  let read: Call
  let retry: Call?
  let cancel: Call?
  let returned: Call?
  let closed: Call?
  let lookup: Call?
  /// How an app that is not honest would name its own price and currency.
  let tamperedAmount: JSONValue
  let tamperedCurrency: JSONValue
  /// Headers of a create that carry the login, in lower case.
  let loginHeaders: Set<String>
  let places: Places
  let words: [Word]
  let fulfilment: Fulfilment?
  let accounts: [Account]

  /// Providers that the backend takes.
  public var providers: [ConformanceProvider] { accounts.map(\.provider) }
}

/// A provider whose checklist the suite knows; each is a sandbox under the same name.
public enum ConformanceProvider: String, Sendable, CaseIterable {
  /// Tabby, at the root of the sandboxes.
  case tabby
  /// Futa.
  case futa
  /// Raïs.
  case rais
  /// Tebex.
  case tebex
  /// SEB.
  case seb
}
