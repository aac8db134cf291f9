import StrictJSON

/// Where payments stand in the ledger's list: by their ids, and by the keys of their creates.
struct PaymentPositions: Sendable {
  private var ids: [String: Int] = [:]
  private var keys: [String: (terms: JSONValue, index: Int)] = [:]

  /// The position that an id leads to.
  subscript(id: String) -> Int? {
    get { ids[id] }
    set { ids[id] = newValue }
  }

  /// What an idempotency key means for a create.
  enum KeyUse: Hashable {
    /// Not used yet, or no key at all: a new payment.
    case new
    /// Used for the same terms: that payment again.
    case repeated(Int)
    /// Used for other terms.
    case taken
  }

  /// - Parameters:
  ///   - key: empty if the request has none.
  ///   - terms: all that the key binds.
  func use(of key: String, for terms: JSONValue) -> KeyUse {
    guard let known = keys[key] else { return .new }
    return known.terms == terms ? .repeated(known.index) : .taken
  }

  /// Binds a key to its payment; an empty key binds nothing.
  mutating func bind(_ key: String, terms: JSONValue, to index: Int) {
    if !key.isEmpty { keys[key] = (terms, index) }
  }
}
