import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentModels
import StrictJSON

extension TillRunner {
  /// Longest wait of one read while watching.
  private static let waitSeconds = 25

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
          .createCheckout, as: connection.appToken, tokenName: "TILL_APP_TOKEN",
          body: CheckoutBody(provider: ProviderName(provider), purchase: purchase).json,
          headers: ["Idempotency-Key": key]))
    } catch {
      // The server may have made it; with the same key a repeat cannot make it twice.
      let hint = error.kind == .unavailable ? "; repeat with --key \(key)" : ""
      throw CommandFailure(error.kind, error.message + hint)
    }
    if asJSON {
      printJSON(json)
    } else {
      printPayment(json)
      if let url = json["checkout_url"]?.text { terminal.line("\nopen  \(url)") }
    }
    if json["state"]?.text == "creating" {
      throw CommandFailure(.notKnownYet, "the provider has not answered yet; the server goes on")
    }
  }

  func operate(
    _ operation: TillAction.Operation, _ payment: PaymentID, _ amount: String?, _ reason: String?,
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
      let hint = error.kind == .unavailable ? "; repeat with --key \(key)" : ""
      throw CommandFailure(error.kind, error.message + hint)
    }
    let state = json["state"]?.text ?? "unknown"
    if asJSON {
      printJSON(json)
    } else {
      let sum = "\(json["amount"]?.text ?? "?") \(json["currency"]?.text ?? "")"
      terminal.line(
        "\(operation.rawValue)  \(terminal.state(state))  \(operation == .close ? "" : sum)")
    }
    if state == "refused" {
      throw CommandFailure(.notAllowed, json["detail"]?.text ?? "the provider refused")
    }
    try requireState(json, "done")
  }

  /// Long-polls a payment and shows each change; on a terminal one line is redrawn.
  func watch(_ id: String, seconds: Int, _ asJSON: Bool) async throws(CommandFailure) {
    let start = environment.clock.uptime()
    let end = start + .seconds(seconds)
    var version: String?
    while true {
      let left = max(0, (end - environment.clock.uptime()).components.seconds)
      let wait = version == nil ? 0 : min(Int64(Self.waitSeconds), left)
      let headers: HTTPHeaders = version.map { ["If-None-Match": $0] } ?? [:]
      let response = try await connection.send(
        .payment(id), query: "?wait=\(wait)", as: connection.operatorKey,
        tokenName: "TILL_OPERATOR_KEY", headers: headers, deadline: .seconds(wait + 15))
      let elapsed = (environment.clock.uptime() - start).components.seconds
      if response.status != 304 {
        let json = try json(response)
        version = response.headers["ETag"]
        let state = json["state"]?.text ?? "unknown"
        if asJSON { printJSON(json) } else { showProgress(state, json, elapsed, isLast: false) }
        if ["authorized", "captured", "rejected", "expired", "cancelled"].contains(state) {
          if !asJSON { showProgress(state, json, elapsed, isLast: true) }
          return
        }
      }
      guard environment.clock.uptime() < end else {
        if terminal.isInteractive, !asJSON { terminal.line("") }
        throw CommandFailure(
          .notKnownYet, "no end after \(seconds) s; the payment goes on, watch it again")
      }
    }
  }

  private func showProgress(_ state: String, _ json: JSONValue, _ elapsed: Int64, isLast: Bool) {
    let line =
      "\(elapsed) s  payment \(terminal.state(state))  order "
      + terminal.state(json["order_state"]?.text ?? "?")
    if terminal.isInteractive {
      terminal.write("\r\u{1B}[K" + line + (isLast ? "\n" : ""))
    } else if !isLast {
      terminal.line(line)
    }
  }
}
