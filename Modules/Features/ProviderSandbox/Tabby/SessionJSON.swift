import HTTPExchange
import PaymentModels
import StrictJSON

/// How a session looks in the answers to create, read and cancel.
extension TabbyLedger {
  func sessionJSON(_ payment: TabbyPayment) -> JSONValue {
    let isRejected = payment.rejection != nil
    let place = settings.rejectionReasonPlace
    let reason = JSONValue.optional(payment.rejection?.rawValue)
    return .object([
      "id": .string(payment.sessionID),
      "warnings": .null,
      "configuration": .object([
        "currency": .string(payment.amount.currency.code),
        "available_products": isRejected
          ? rejectedProducts(reason) : .object(["installments": .array([productJSON(payment)])]),
        "expires_at": .string(payment.sessionExpiresAt.description),
        "products": .object([
          "installments": .object([
            "type": .string("installments"), "is_available": .bool(!isRejected),
            "rejection_reason": place == .products ? reason : .null,
          ])
        ]),
      ]),
      "flow": .string("web"),
      "payment": paymentJSON(payment),
      "status": .string(sessionStatus(payment)),
      "rejection_reason_code": place == .topLevel ? reason : .null,
      "product_type": .null,
      "lang": .string(payment.languageCode),
      "merchant": .object(["name": .string(payment.merchant.name)]),
      "merchant_code": .string(payment.merchant.code),
      "merchant_urls": .object([
        "success": .optional(payment.request.successURL),
        "cancel": .optional(payment.request.cancelURL),
        "failure": .optional(payment.request.failureURL),
      ]),
      "token": .null,
    ])
  }

  private func sessionStatus(_ payment: TabbyPayment) -> String {
    if payment.rejection != nil { return "rejected" }
    switch payment.status {
    case .created: return now < payment.sessionExpiresAt ? "created" : "expired"
    case .authorized, .closed: return "approved"
    case .rejected: return "rejected"
    case .expired: return "expired"
    }
  }

  private func rejectedProducts(_ reason: JSONValue) -> JSONValue {
    guard settings.rejectionReasonPlace == .availableProducts else { return .object([]) }
    let product = JSONValue.object([
      "is_available": .bool(false), "rejection_reason": reason, "web_url": .null, "qr_code": .null,
    ])
    return .object(["installments": .array([product])])
  }

  /// The plan that the payer is offered. The amounts of this block keep their decimals.
  private func productJSON(_ payment: TabbyPayment) -> JSONValue {
    let plan = InstalmentPlan(amount: payment.amount, start: payment.createdAt)
    let zero = JSONValue.string(Money.zero(payment.amount.currency).decimal)
    let first = plan.parts[0].amount
    let later = Money(
      minorUnits: payment.amount.minorUnits - first.minorUnits, currency: first.currency)
    return .object([
      "downpayment": .string(first.decimal), "downpayment_percent": .string("25"),
      "downpayment_increased_reason": .null, "downpayment_total": .string(first.decimal),
      "amount_to_pay": .string(later.decimal), "order_amount": .string(payment.amount.decimal),
      "total_service_fee": zero, "service_fee": zero,
      "service_fee_policy": .string("per_installment"),
      "next_payment_date": .string("\(plan.parts[1].dueDate)T00:00:00Z"),
      "installments": .array(
        plan.parts.dropFirst().map { part in
          .object([
            "due_date": .string(part.dueDate), "amount": .string(part.amount.decimal),
            "principal": .string(part.amount.decimal), "service_fee": zero, "old_amount": .null,
          ])
        }),
      "installments_count": .integer(3), "installment_period": .string("P1M"),
      "pay_per_installment": .string(plan.parts[1].amount.decimal),
      "pay_after_delivery": .bool(false), "status": .string("unknown"),
      "web_url": .string(webURL(payment)),
      "qr_code": .null,
    ])
  }

  /// The link to the hosted page, with the parameters of the real one in their order.
  func webURL(_ payment: TabbyPayment) -> String {
    let key =
      settings.keys.first { $0.reveal().hasPrefix("pk_test_") }
      ?? TabbySandboxSettings.demoPublicKey
    let parameters = [
      ("apiKey", key.reveal()), ("lang", payment.languageCode),
      ("merchantCode", payment.merchant.code),
      ("product", "installments"), ("sessionId", payment.sessionID),
    ]
    return parameters.reduce("\(payment.origin)/") {
      QueryText.append($1.0, $1.1, to: $0)
    }
  }
}

extension TabbyPayment {
  /// Three letters, although requests have two.
  var languageCode: String { request.language.hasPrefix("ar") ? "ara" : "eng" }
}
