import HTTPExchange
public import PaymentModels
public import ProviderInterface
import StrictJSON

/// What Tebex says of a store.
public struct TebexStore: Hashable, Sendable {
  /// Code of the currency of all its prices.
  public var currency: String
  /// Whether it sells nothing at present.
  public var isDisabled: Bool
}

/// A package that a store sells.
public struct TebexPackage: Hashable, Sendable {
  /// Its id, a number written out.
  public var id: String
  /// What a basket with one of it costs, without tax.
  public var basePrice: Money
}

extension TebexProvider {
  /// What Tebex says of the store: whether settings and store agree, before the first basket.
  ///
  /// - Throws: ``ProviderError``; of kind `refused` for a token that no store has.
  public func store() async throws(ProviderError) -> TebexStore {
    let json = unwrapped(try await headless("GET", accountPath))
    return try check.map { () throws(JSONPathError) in
      TebexStore(
        currency: try json.text(at: "currency"), isDisabled: json["disabled"]?.boolean ?? false)
    }
  }

  /// The packages that the store sells; one whose price cannot be read is left out.
  ///
  /// - Throws: ``ProviderError``.
  public func packages() async throws(ProviderError) -> [TebexPackage] {
    let json = try await headless("GET", "\(accountPath)/packages")
    let elements = try check.map { () throws(JSONPathError) in
      guard let elements = (json["data"] ?? json).elements else {
        throw JSONPathError(path: "data", "is no list")
      }
      return elements
    }
    return elements.compactMap { element in
      guard let id = Goods.id(element["id"]), let price = element["base_price"],
        let amount = try? money(
          price, element["currency"]?.text?.knownCurrency ?? configuration.currency,
          path: "base_price")
      else { return nil }
      return TebexPackage(id: id, basePrice: amount)
    }
  }
}
