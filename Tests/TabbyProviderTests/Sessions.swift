/// Session objects as Tabby answers them to a create.
enum Sessions {
  static let webURL =
    "https://checkout.tabby.ai/?apiKey=pk_test_x&lang=eng&merchantCode=AE&product=installments"
    + "&sessionId=2d2c3f34-0000-4000-8000-9a9b9c9d9e9f"

  /// The documented members alone.
  static let created = session(
    configuration: #"{"available_products":{"installments":[{"web_url":"\#(webURL)"}]},"#
      + #""products":{"installments":{"rejection_reason":null}}}"#)

  /// A session around a fresh payment.
  static func session(
    status: String = #""created""#, configuration: String?, paymentStatus: String = #""CREATED""#,
    extra: String = ""
  ) -> String {
    let payment = paymentJSON(status: paymentStatus)
    let members = [
      #""id":"2d2c3f34-0000-4000-8000-9a9b9c9d9e9f","status":\#(status),"payment":\#(payment)"#,
      configuration.map { #""configuration":\#($0)"# }, extra.isEmpty ? nil : extra,
    ]
    return "{\(members.compactMap { $0 }.joined(separator: ","))}"
  }

  /// A whole answer with the members that the live API sends beside the documented ones.
  static let full = #"""
    {"id":"2d2c3f34-0000-4000-8000-9a9b9c9d9e9f","warnings":null,
    "api_url":"https://api.tabby.sa/s/abc","status":"created","flow":"web","token":null,
    "customer":{"id":null,"phone":"+966500000001","email":"otp.success@tabby.ai",
    "is_identity_auth_skipped":false},"product_type":null,"lang":"ara","locale":"ar-SA",
    "merchant":{"name":"Test Shop","address":"","logo":null},"merchant_code":"SA",
    "terms_accepted":false,"promo":null,"installment_plan":{"installments":null},
    "merchant_urls":{"success":"https://shop.example/s","cancel":"https://shop.example/c",
    "failure":"https://shop.example/f"},
    "configuration":{"currency":"SAR","app_type":"main","new_customer":true,
    "available_limit":null,"min_limit":null,"extra_available_products":{},"country":"SAU",
    "expires_at":"2025-02-26T10:20:00Z","is_bank_card_required":false,"blocked_until":null,
    "hide_closing_icon":false,"pos_provider":null,"is_tokenized":false,"disclaimer":"","help":"",
    "monthly_billing":{"due_day":0},"order_details_mode":"",
    "available_products":{"installments":[{"downpayment":"25.00","downpayment_percent":"25",
    "downpayment_increased_reason":null,"downpayment_total":"25.00","old_downpayment_total":null,
    "amount_to_pay":"75.00","order_amount":"100.00","total_service_fee":"0.00",
    "service_fee":"0.00","service_fee_policy":"per_installment",
    "next_payment_date":"2025-03-26T00:00:00Z",
    "installments":[{"due_date":"2025-03-26","amount":"25.00","principal":"25.00",
    "service_fee":"0.00","old_amount":null},{"due_date":"2025-04-26","amount":"25.00",
    "principal":"25.00","service_fee":"0.00","old_amount":null},{"due_date":"2025-05-26",
    "amount":"25.00","principal":"25.00","service_fee":"0.00","old_amount":null}],
    "installments_count":3,"installment_period":"P1M","pay_per_installment":"25.00",
    "pay_after_delivery":false,"original_type":null,"status":"unknown","id":12345,
    "web_url":"https://checkout.tabby.ai/?apiKey=pk_test_x&lang=ara&sessionId=2d2c3f34",
    "qr_code":"https://api.tabby.ai/api/v2/checkout/2d2c3f34/hpp_link_qr?gis=u"}]},
    "products":{"installments":{"type":"installments","is_available":true,
    "rejection_reason":null}}},
    "payment":{"id":"6f1c1f0e-9d1a-4d0b-8f53-0a5b7d6c2e11","created_at":"2025-02-26T10:00:00Z",
    "expires_at":"2025-02-26T10:20:00Z","status":"CREATED","is_test":true,"amount":"100",
    "currency":"SAR","description":"","cancelable":false,
    "product":{"type":"","installments_count":0,"installment_period":"P0D"},
    "buyer":{"id":null,"name":"Test Buyer","email":"otp.success@tabby.ai",
    "phone":"+966500000001","dob":null},
    "shipping_address":{"city":"Riyadh","address":"1 Test Street","zip":"00000"},
    "order":{"reference_id":"01936f5e-8a00-7000-8000-0000000000a1",
    "updated_at":"0001-01-01T00:00:00Z","tax_amount":"0","shipping_amount":"0",
    "discount_amount":"0","items":[]},"captures":[],"refunds":[],
    "buyer_history":{"registered_since":"0001-01-01T00:00:00Z","loyalty_level":0},
    "order_history":[],"meta":{"order_id":"01936f5e-8a00-7000-8000-0000000000a1",
    "payment_id":"01936f5e-8a00-7000-8000-0000000000b1"},"attachment":null}}
    """#
}
