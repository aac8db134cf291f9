import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentModels
import StrictJSON

extension TillRunner {
  func createCheckout(
    _ provider: String, _ items: [TillAction.Item], _ order: String?, _ key: String?,
    _ asJSON: Bool
  ) async throws(CommandFailure) {
    let purchase: CheckoutBody.Purchase =
      if let order {
        .order(OrderID(order))
      } else {
        .items(items.map { CheckoutBody.Item(productID: $0.product, quantity: $0.quantity) })
      }
    let key = key ?? environment.newUUID()
    let json: JSONValue
    do {
      json = try self.json(
        await connection.send(
          .createCheckout, as: .payer,
          body: CheckoutBody(provider: ProviderName(provider), purchase: purchase).json,
          headers: ["Idempotency-Key": key]))
    } catch {
      throw error.hintingAt(key: key)
    }
    if asJSON {
      printJSON(json)
    } else {
      printPayment(json)
      printNextSteps(json)
    }
    if json["state"]?.text == "rejected" {
      throw CommandFailure(
        .notAllowed,
        "\(text(json, "provider")) refused the payment, so there is no page: "
          + text(json, "rejection_reason"))
    }
    if json["state"]?.text == "creating" {
      throw CommandFailure(
        .notKnownYet,
        "the provider has not confirmed it yet; the server goes on, and its log says why: "
          + "watch the payment")
    }
  }

  /// Has a payment read at its provider now.
  func readPayment(_ id: PaymentID, _ asJSON: Bool) async throws(CommandFailure) {
    let json = try await post(.operator(.readPayment(id)), body: nil, key: nil)
    if asJSON { printJSON(json) } else { printPayment(json) }
    guard json["fresh"]?.boolean == true else {
      throw CommandFailure(
        .notKnownYet, "the provider could not be read; this is what was known before")
    }
  }

  func operate(
    _ operation: TillAction.Operation, _ payment: PaymentID, _ amount: String?, _ reason: String,
    _ key: String?, _ asJSON: Bool
  ) async throws(CommandFailure) {
    let route: Route =
      switch operation {
      case .capture: .captures(payment)
      case .refund: .refunds(payment)
      case .close: .close(payment)
      }
    let key = key ?? environment.newUUID()
    let json: JSONValue
    do {
      json = try await post(
        route, body: OperationBody(amount: amount, reason: reason).json, key: key)
    } catch {
      throw error.hintingAt(key: key)
    }
    if asJSON { printJSON(json) } else { printOperation(operation, json) }
    if json["state"]?.text == "refused" {
      throw CommandFailure(.notAllowed, json["detail"]?.text ?? "the provider refused")
    }
    try requireState(json, "done")
  }
}
