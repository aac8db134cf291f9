import HTTPExchange
import PaymentModels
public import ProviderInterface
import StrictJSON

extension TebexProvider {
  /// Makes a basket, adds its packages one by one, and hands out the page once a read of the
  /// basket shows exactly the packages, quantities, price and currency that were asked for.
  ///
  /// These are several requests, and none has a key. That does no harm: until the page is out
  /// nobody can pay, so a basket that was left behind stays unpaid, and a repeat makes another.
  /// After an add without a clear answer the basket is read; nothing is ever added twice.
  public func create(
    _ request: [UInt8], idempotencyKey: String
  ) async throws(ProviderError) -> CreatedPayment {
    let stored = try StoredCreate(request)
    let ident = try await makeBasket(stored)
    for line in stored.custom.goods.lines {
      guard try await isAdded(line, to: ident) else { break }
    }
    let basket: BasketAnswer
    do throws(ProviderError) {
      basket = try await self.basket(ident)
    } catch  where error.kind == .notSent {
      throw ProviderError(.unknown, detail: error.detail)
    }
    return try checked(basket, of: ident, against: stored.custom)
  }

  private func makeBasket(_ stored: StoredCreate) async throws(ProviderError) -> ProviderPaymentID {
    var headers: HTTPHeaders = [:]
    if stored.needsPrivateKey {
      guard let key = configuration.settings.privateKey else {
        throw ProviderError(
          .refused, code: "private_key_missing",
          detail: "the basket names an address, which needs the private key; nothing was sent")
      }
      headers.add(
        "Authorization", basicAuthorization(configuration.publicToken, key.reveal()))
    }
    let json = try await headless(
      "POST", "\(accountPath)/baskets", headers: headers, body: stored.basket.serialized())
    return try check.map { () throws(JSONPathError) in
      try BasketAnswer(json, configuration).ident()
    }
  }

  /// False if nobody knows: it may be there all the same, and if it was the last one the basket
  /// is whole. The answer to an add is a basket; the read afterwards is what counts.
  private func isAdded(
    _ line: Goods.Line, to ident: ProviderPaymentID
  ) async throws(ProviderError) -> Bool {
    var members = [JSONMember(name: "package_id", value: .string(line.id))]
    if line.quantity > 1 || configuration.settings.sendsQuantityOfOne {
      members.append(JSONMember(name: "quantity", value: .integer(line.quantity)))
    }
    do throws(ProviderError) {
      _ = try await headless(
        "POST", "/baskets/\(ident)/packages", body: JSONValue.object(members).serialized())
      return true
    } catch  where error.kind == .unknown || error.kind == .notSent {
      return false
    }
  }

  private func checked(
    _ basket: BasketAnswer, of ident: ProviderPaymentID, against asked: Custom
  ) throws(ProviderError) -> CreatedPayment {
    let created = try check.map { () throws(JSONPathError) in
      guard try basket.goods() == asked.goods else {
        throw JSONPathError(path: "packages", "are not those that were asked for")
      }
      guard basket.custom == asked else {
        throw JSONPathError(path: "custom", "did not come back")
      }
      var reading = try basket.reading()
      reading.amount = try basket.basePrice()
      return CreatedPayment(reading: reading, checkoutURL: try basket.checkoutURL())
    }
    guard let price = created.reading.amount else {
      throw check.malformed(JSONPathError(path: "base_price", "is missing"))
    }
    // All is there and costs something else: no repeat mends that, the shop's prices must.
    guard price == asked.price else {
      throw ProviderError(
        .refused, status: 200, code: "other_price",
        detail: "the packages cost \(price) at Tebex, the order says \(asked.price); "
          + "the page was not handed out")
    }
    return created
  }
}
