import MerchantAPI
import PaymentModels
import StrictJSON
import Testing

@Suite("Operation bodies and views")
struct OperationTests {
  @Test(
    arguments: [
      (OperationBody(reason: "sold out"), #"{"reason":"sold out"}"#),
      (OperationBody(amount: "1", reason: "late"), #"{"amount":"1","reason":"late"}"#),
      (
        OperationBody(reason: String(repeating: "r", count: 255)),
        #"{"reason":"\#(String(repeating: "r", count: 255))"}"#
      ),
    ])
  func `what is written is read back`(body: OperationBody, text: String) throws {
    #expect(String(decoding: body.json.serialized(), as: UTF8.self) == text)
    #expect(try OperationBody(json: JSONValue(parsing: Array(text.utf8))) == body)
  }

  @Test(
    arguments: [
      // An amount is a text: a number would have to be read as one somewhere on its way.
      (#"{"amount":1.00}"#, "amount must be a text of 1 to 32 characters"),
      (#"{"amount":""}"#, "amount must be a text of 1 to 32 characters"),
      (
        #"{"amount":"\#(String(repeating: "1", count: 33))"}"#,
        "amount must be a text of 1 to 32 characters"
      ),
      (
        #"{"reason":"\#(String(repeating: "r", count: 256))"}"#,
        "reason must be a text of 1 to 255 characters"
      ),
      ("{}", "reason is missing"), (#"{"amount":"1.00"}"#, "reason is missing"),
      (#"{"reason":null}"#, "reason is missing"),
      (#"{"reason":""}"#, "reason must be a text of 1 to 255 characters"),
      (#"{"reason":7}"#, "reason must be a text of 1 to 255 characters"),
      (#"{"reason":"  "}"#, "reason must be one line that is not blank"),
      (#"{"reason":"a\nb"}"#, "reason must be one line that is not blank"),
      (#"{"currency":"AED"}"#, "currency is not a known member"),
      ("[]", "the body must be an object"),
    ])
  func `a wrong body is refused by the name of the member`(text: String, error: String) throws {
    let json = try JSONValue(parsing: Array(text.utf8))
    let thrown = #expect(throws: BodyError.self) { try OperationBody(json: json) }
    #expect(thrown?.description == error)
  }

  @Test func `a cancel says why, and nothing else`() throws {
    let body = ReasonBody(reason: "sold out")
    #expect(String(decoding: body.json.serialized(), as: UTF8.self) == #"{"reason":"sold out"}"#)
    #expect(try ReasonBody(json: body.json) == body)
    for text in ["{}", #"{"reason":"\u0007"}"#, #"{"reason":"a","amount":"1"}"#] {
      let json = try JSONValue(parsing: Array(text.utf8))
      #expect(throws: BodyError.self) { try ReasonBody(json: json) }
    }
  }

  @Test func `the JSON of an operation is frozen`() throws {
    let kwd = try #require(Currency(iso4217: "KWD"))
    let view = OperationView(
      operationID: OperationID("op"), paymentID: PaymentID("pay"), kind: "refund",
      amount: Money(minorUnits: 1_234, currency: kwd), state: "refused", detail: nil)
    #expect(
      String(decoding: view.json.serialized(), as: UTF8.self)
        == #"{"operation_id":"op","payment_id":"pay","kind":"refund","amount":"1.234","#
        + #""currency":"KWD","state":"refused","detail":null}"#)
  }
}

@Suite("Order views")
struct OrderViewTests {
  @Test func `the JSON of an order is frozen`() throws {
    let aed = try #require(Currency(iso4217: "AED"))
    let price = Money(minorUnits: 7_000, currency: aed)
    let view = OrderView(
      orderID: OrderID("ord"), state: .needsReview, total: Money(minorUnits: 14_000, currency: aed),
      due: 6_000, captured: 6_000, refunded: 1, isCancelRequested: true, isFulfilled: false,
      lines: [
        OrderLine(productID: "tea", title: "Tea", category: "food", quantity: 2, unitPrice: price)
      ],
      payments: [],
      reviews: [
        .init(
          number: 7, kind: "short_capture", detail: "60 of 140", openedAt: .init(milliseconds: 1))
      ],
      messages: [.init(sequence: 1, kind: "needs_review", isDelivered: true)])
    #expect(
      String(decoding: view.json.serialized(), as: UTF8.self)
        == #"{"order_id":"ord","state":"needs_review","total":"140.00","currency":"AED","#
        + #""due":"60.00","captured":"60.00","refunded":"0.01","cancel_requested":true,"#
        + #""fulfilled":false,"#
        + #""lines":[{"product_id":"tea","title":"Tea","quantity":2,"unit_price":"70.00"}],"#
        + #""payments":[],"reviews":[{"review":7,"kind":"short_capture","detail":"60 of 140","#
        + #""opened_at":"1970-01-01T00:00:00.001Z"}],"messages":[{"sequence":1,"#
        + #""kind":"needs_review","delivered":true}]}"#)
  }
}
