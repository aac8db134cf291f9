import TestSupport

/// Bodies of every call, typed from what Tabby's documents say of each (see the sources in
/// Docs/Providers/tabby.md) and from two answers of the real server that were captured.
enum Golden {
  static let requests = [createRequest, captureRequest, refundRequest, updateRequest]
  static let answers = [
    GoldenBody("create, answer", source: "captured", Sessions.full), rejected, fresh, authorized,
    partlyCaptured, closed, refunded, cancelled, list,
  ]
  static let deliveries = [authorizeDelivery, captureDelivery, closeDelivery, refundDelivery]

  static let createRequest = GoldenBody(
    "create, request", source: "OAS, session payload model: the required members",
    #"""
    { "payment": {
        "amount": "100.00", "currency": "AED",
        "buyer": { "phone": "+971500000001", "email": "otp.success@tabby.ai",
          "name": "Test Buyer" },
        "shipping_address": { "city": "Dubai", "address": "1 Test Street", "zip": "00000" },
        "order": { "reference_id": "1001", "updated_at": "2026-09-21T14:13:20Z",
          "items": [ { "title": "Tea “Karak”", "quantity": 1, "unit_price": "100.00",
            "category": "grocery", "reference_id": "tea" } ] },
        "buyer_history": { "registered_since": "2019-08-24T14:15:22Z", "loyalty_level": 3 },
        "order_history": [],
        "meta": { "order_id": "1001", "payment_id": "01936f5e-8a00-7000-8000-0000000000b1" } },
      "lang": "en", "merchant_code": "AE",
      "merchant_urls": { "success": "https://shop.example/return/success?payment=b1",
        "cancel": "https://shop.example/return/cancel", "failure": "shop.example:/failure" } }
    """#)

  static let captureRequest = GoldenBody(
    "capture, request", source: "OAS", #"{ "amount": "100.00", "reference_id": "op-1" }"#)

  static let refundRequest = GoldenBody(
    "refund, request", source: "OAS",
    #"{ "amount": "40.50", "reference_id": "op-2", "reason": "damaged" }"#)

  static let updateRequest = GoldenBody(
    "update, request", source: "OAS", #"{ "order": { "reference_id": "1002" } }"#)

  static let rejected = GoldenBody(
    "create, answer of a rejected session",
    source: "OAS; `available_products` as the iOS SDK needs it",
    #"""
    { "id": "2d2c3f34-0000-4000-8000-9a9b9c9d9e9f", "status": "rejected", "token": null,
      "configuration": { "available_products": {},
        "products": { "installments": { "type": "installments", "is_available": false,
          "rejection_reason": "order_amount_too_high" } } },
      "merchant_urls": { "success": null, "cancel": null, "failure": null },
      "payment": { "id": "6f1c1f0e-9d1a-4d0b-8f53-0a5b7d6c2e11",
        "created_at": "2025-02-26T10:00:00Z", "status": "CREATED", "is_test": true,
        "amount": "100", "currency": "AED", "description": "", "order": null, "meta": null,
        "attachment": null } }
    """#)

  static let fresh = payment(
    "CREATED", captures: "[]", refunds: "[]", expiresAt: "2025-02-26T10:20:00Z", source: "captured")
  static let authorized = payment(
    "AUTHORIZED", captures: "[]", refunds: "[]", source: "OAS, captured")
  static let partlyCaptured = payment(
    "AUTHORIZED",
    captures: #"""
      [ { "id": "c-1", "created_at": "2025-02-26T10:05:00Z", "amount": "59.5",
        "tax_amount": "0", "shipping_amount": "0", "discount_amount": "0", "items": null,
        "reference_id": "op-1" } ]
      """#, refunds: "null", source: "OAS")
  static let closed = payment(
    "CLOSED",
    captures: #"""
      [ { "id": "c-1", "created_at": "2025-02-26T10:05:00Z", "amount": "100", "tax_amount": "0",
        "shipping_amount": "0", "discount_amount": "0", "items": [], "reference_id": "" } ]
      """#, refunds: "[]", source: "captured: no reference is an empty text")
  static let refunded = payment(
    "CLOSED",
    captures: #"""
      [ { "id": "c-1", "created_at": "2025-02-26T10:05:00Z", "amount": "100", "items": null,
        "reference_id": "op-1" } ]
      """#,
    refunds: #"""
      [ { "id": "r-1", "created_at": "2025-02-27T10:05:00Z", "amount": "40.5",
        "reason": "damaged", "items": null, "reference_id": "op-2" } ]
      """#, source: "OAS")
  static let cancelled = payment("CLOSED", captures: "[]", refunds: "[]", source: "OAS")

  static let list = GoldenBody(
    "list, answer", source: "OAS",
    #"{ "payments": [ \#(closed.text) ], "#
      + #""pagination": { "limit": 20, "offset": 0, "total_count": 1 } }"#)

  static let authorizeDelivery = delivery("authorized", source: "webhooks: the sample")
  static let captureDelivery = delivery(
    "authorized",
    captures: #"""
      [ { "id": "c-1", "amount": "100", "created_at": "2025-02-26T10:05:00Z",
        "reference_id": "op-1" } ]
      """#, source: "webhooks")
  static let closeDelivery = delivery(
    "closed", closedAt: #""2025-02-26T10:05:00Z""#, source: "webhooks")
  static let refundDelivery = delivery(
    "closed", closedAt: #""2025-02-26T10:05:00Z""#,
    refunds: #"""
      [ { "id": "r-1", "amount": "40.5", "created_at": "2025-02-27T10:05:00Z",
        "reference_id": "op-2", "reason": "damaged" } ]
      """#, source: "webhooks")

  /// A payment with every member that the document or a capture shows.
  private static func payment(
    _ status: String, captures: String, refunds: String,
    expiresAt: String = "2026-02-26T10:00:00Z", source: String
  ) -> GoldenBody {
    GoldenBody(
      "read, answer: \(status), \(captures.count), \(refunds.count)", source: source,
      #"""
      { "id": "6f1c1f0e-9d1a-4d0b-8f53-0a5b7d6c2e11", "created_at": "2025-02-26T10:00:00Z",
        "expires_at": "\#(expiresAt)", "status": "\#(status)", "is_test": true,
        "product": { "type": "", "installments_count": 0, "installment_period": "P0D" },
        "amount": "100", "currency": "AED", "description": "",
        "buyer": { "id": null, "name": "Test Buyer", "email": "otp.success@tabby.ai",
          "phone": "+971500000001", "dob": null },
        "shipping_address": { "city": "Dubai", "address": "1 Test Street", "zip": "00000" },
        "order": { "reference_id": "1001", "updated_at": "0001-01-01T00:00:00Z",
          "tax_amount": "0", "shipping_amount": "0", "discount_amount": "0", "items": [] },
        "captures": \#(captures), "refunds": \#(refunds),
        "buyer_history": { "registered_since": "0001-01-01T00:00:00Z", "loyalty_level": 0 },
        "order_history": null,
        "meta": { "order_id": "1001", "payment_id": "01936f5e-8a00-7000-8000-0000000000b1" },
        "cancelable": false, "attachment": null }
      """#)
  }

  private static func delivery(
    _ status: String, closedAt: String = "null", captures: String = "[]", refunds: String = "[]",
    source: String
  ) -> GoldenBody {
    GoldenBody(
      "webhook: \(status), \(captures.count), \(refunds.count)", source: source,
      #"""
      { "id": "6f1c1f0e-9d1a-4d0b-8f53-0a5b7d6c2e11", "created_at": "2025-02-26T10:00:00Z",
        "expires_at": "2026-02-26T10:00:00Z", "closed_at": \#(closedAt),
        "status": "\#(status)", "is_test": false, "is_expired": false, "amount": "100",
        "currency": "SAR", "order": { "reference_id": "1001" },
        "captures": \#(captures), "refunds": \#(refunds),
        "meta": { "order_id": "1001", "customer": null,
          "payment_id": "01936f5e-8a00-7000-8000-0000000000b1" }, "token": "" }
      """#)
  }
}
