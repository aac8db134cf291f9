public import StrictJSON

extension ConformanceAdapter {
  /// The adapter file for Tillkit's own server: what `--adapter` is without a file.
  public static let own: JSONValue = .object([
    "calls": .object([
      "create": .object([
        "method": "POST", "path": "/v1/checkouts",
        "headers": .object([
          "Authorization": "Bearer {env:TILL_APP_TOKEN}", "Idempotency-Key": "{key}",
        ]),
        "body": .object([
          "provider": "{provider}",
          "items": .array([.object(["product_id": "{product}", "quantity": .integer(1)])]),
        ]),
      ]),
      "read": .object([
        "method": "GET", "path": "/v1/payments/{payment}",
        "headers": .object(["Authorization": "Bearer {env:TILL_APP_TOKEN}"]),
      ]),
      "retry": .object([
        "method": "POST", "path": "/v1/checkouts",
        "headers": .object([
          "Authorization": "Bearer {env:TILL_APP_TOKEN}", "Idempotency-Key": "{key}",
        ]),
        "body": .object(["provider": "{provider}", "order_id": "{order}"]),
      ]),
      "cancel": .object([
        "method": "POST", "path": "/v1/orders/{order}/cancel",
        "headers": .object(["Authorization": "Bearer {env:TILL_OPERATOR_KEY}"]),
        "body": .object(["reason": "the buyer asked for it"]),
      ]),
      "returned": .object([
        "method": "GET",
        "path": "/return/{outcome}?payment_id={provider_payment}&status={status}",
      ]),
      "closed": .object([
        "method": "POST", "path": "/v1/payments/{payment}/signals",
        "headers": .object(["Authorization": "Bearer {env:TILL_APP_TOKEN}"]),
        "body": .object(["signal": "closed"]),
      ]),
      "lookup": .object([
        "method": "GET", "path": "/checkout/api/egw/v1/payments/{provider_payment}",
      ]),
    ]),
    "answers": .object([
      "payment": "/payment_id", "order": "/order_id", "page": "/checkout_url",
      "provider_payment": "/provider_payment_id", "refunded": "/refunded",
      "verification_key": "/verification_key",
    ]),
    "words": .object([
      "refunded": .object(["/order_state": .array(["refunded"])]),
      "paid": .object(["/order_state": .array(["paid"])]),
      "authorized": .object(["/order_state": .array(["authorized"])]),
      "failed": .object([
        "/state": .array(["rejected", "expired", "cancelled"]),
        "/order_state": .array(["cancelled"]),
      ]),
    ]),
    "fulfilment": .object([
      "order": "/order_id", "id_header": "webhook-id", "type": "/type",
      "values": .array(["order.fulfil"]),
    ]),
    "providers": accounts,
  ])

  /// The goods and secrets of `till run` and of the kit's samples.
  private static let accounts: JSONValue = .object([
    "tabby": .object([
      "webhook_path": "/webhooks/tabby", "product": "lamp", "other_product": "tee",
      "amount": "340.00", "currency": "AED", "merchant_code": "AE",
      "webhook_header": "X-Webhook-Token", "key": .object(["env": "TILL_TABBY_SECRET_KEY"]),
      "webhook_secret": .object(["env": "TILL_TABBY_WEBHOOK_SECRET"]),
    ]),
    "futa": account("futa", "solar", "torch", "25000.00", "CDF"),
    "rais": account("rais", "radio", "torch", "500000", "GNF"),
    "tebex": account("tebex", "6276316", "6276317", "5.35", "USD"),
    "seb": .object([
      "webhook_path": "/webhooks/seb", "product": "sauna", "other_product": "tee",
      "amount": "129.90", "currency": "EUR", "key": .object(["env": "TILL_SEB_CLIENT_SECRET"]),
    ]),
  ])

  private static func account(
    _ name: String, _ product: String, _ other: String, _ amount: String, _ currency: String
  ) -> JSONValue {
    .object([
      "webhook_path": .string("/webhooks/\(name)"), "product": .string(product),
      "other_product": .string(other), "amount": .string(amount), "currency": .string(currency),
      "key": .object(["env": .string("TILL_\(name.uppercased())_SECRET_KEY")]),
      "webhook_secret": .object(["env": .string("TILL_\(name.uppercased())_WEBHOOK_SECRET")]),
    ])
  }
}
