import MerchantAPI
import PaymentModels
import StrictJSON
import Testing

private let orderID = "01976f3a-7c1b-7def-8abc-0123456789ab"

/// What reading a body says, or the JSON that the body writes.
private func reading(_ read: (JSONValue) throws -> JSONValue, _ text: String) -> String {
  do {
    return String(
      decoding: try read(JSONValue(parsing: Array(text.utf8))).serialized(), as: UTF8.self)
  } catch {
    return "\(error)"
  }
}

private func items(_ count: Int) -> String {
  (0..<count).map { #"{"product_id":"p\#($0)","quantity":1}"# }.joined(separator: ",")
}

@Suite("Checkout bodies")
struct CheckoutBodyTests {
  @Test(
    arguments: [
      #"{"provider":"tabby","items":[{"product_id":"tea","quantity":1}]}"#,
      #"{"provider":"tabby","items":["#
        + #"{"product_id":"tea","quantity":1000},{"product_id":"x","quantity":2}]}"#,
      #"{"provider":"tabby","items":[\#(items(100))]}"#,
      #"{"provider":"tabby","items":["#
        + #"{"product_id":"\#(String(repeating: "p", count: 64))","quantity":1}]}"#,
      #"{"provider":"\#(String(repeating: "p", count: 32))","order_id":"\#(orderID)"}"#,
    ])
  func `what is written is read back`(text: String) {
    #expect(reading({ try CheckoutBody(json: $0).json }, text) == text)
  }

  @Test func `null is as good as absent`() {
    let text = #"{"provider":"tabby","order_id":null,"items":[{"product_id":"a","quantity":1}]}"#
    #expect(
      reading({ try CheckoutBody(json: $0).json }, text)
        == #"{"provider":"tabby","items":[{"product_id":"a","quantity":1}]}"#)
  }

  @Test(
    arguments: [
      ("[]", "the body must be an object"), ("null", "the body must be an object"),
      ("{}", "provider is missing"),
      (#"{"provider":null,"items":[]}"#, "provider is missing"),
      (#"{"provider":7}"#, "provider must be a text of 1 to 32 characters"),
      (#"{"provider":""}"#, "provider must be a text of 1 to 32 characters"),
      (
        #"{"provider":"\#(String(repeating: "p", count: 33))"}"#,
        "provider must be a text of 1 to 32 characters"
      ),
      (#"{"provider":"tabby","amount":"1.00"}"#, "amount is not a known member"),
      (#"{"provider":"tabby","Items":[]}"#, "Items is not a known member"),
      (#"{"provider":"tabby"}"#, "items must be an array of 1 to 100 items"),
      (#"{"provider":"tabby","items":[]}"#, "items must be an array of 1 to 100 items"),
      (#"{"provider":"tabby","items":{}}"#, "items must be an array of 1 to 100 items"),
      (
        #"{"provider":"tabby","items":[\#(items(101))]}"#,
        "items must be an array of 1 to 100 items"
      ),
      (#"{"provider":"tabby","items":["tea"]}"#, "items[0] must be an object"),
      (
        #"{"provider":"tabby","items":[{"product_id":"a","quantity":1},{"quantity":1}]}"#,
        "items[1].product_id is missing"
      ),
      (
        #"{"provider":"tabby","items":[{"product_id":"a","quantity":1,"price":"1"}]}"#,
        "items[0].price is not a known member"
      ),
      (
        #"{"provider":"tabby","items":["#
          + #"{"product_id":"a","quantity":1},{"product_id":"a","quantity":2}]}"#,
        "items names a product twice"
      ),
      (#"{"provider":"tabby","order_id":"ord-1001"}"#, "order_id is not an order id"),
      (
        #"{"provider":"tabby","order_id":"\#(orderID.uppercased())"}"#,
        "order_id is not an order id"
      ),
      (
        #"{"provider":"tabby","order_id":"\#(orderID)0"}"#,
        "order_id must be a text of 1 to 36 characters"
      ),
      (#"{"provider":"tabby","order_id":""}"#, "order_id must be a text of 1 to 36 characters"),
      (#"{"provider":"tabby","order_id":7}"#, "order_id must be a text of 1 to 36 characters"),
      (
        #"{"provider":"tabby","order_id":"\#(orderID)","items":[]}"#,
        "items must be an array of 1 to 100 items"
      ),
      (#"{"provider":"tabby","provider":"tabby","items":[]}"#, "duplicate name at byte 20"),
    ])
  func `a wrong body is refused by the name of the member`(text: String, error: String) {
    #expect(reading({ try CheckoutBody(json: $0).json }, text) == error)
  }

  @Test(
    arguments: [
      "0", "-1", "1001", "1000000000", "99999999999999999999", "1.5", "1.0", "1e2", #""1""#, "null",
      "true", "[1]",
    ])
  func `a quantity is a whole number from 1 to 1000`(quantity: String) {
    let text = #"{"provider":"tabby","items":[{"product_id":"a","quantity":\#(quantity)}]}"#
    #expect(
      reading({ try CheckoutBody(json: $0).json }, text)
        == "items[0].quantity must be a whole number from 1 to 1000")
  }

  @Test func `the quantity is missing`() {
    #expect(
      reading(
        { try CheckoutBody(json: $0).json }, #"{"provider":"tabby","items":[{"product_id":"a"}]}"#)
        == "items[0].quantity must be a whole number from 1 to 1000")
  }
}

@Suite("Signal bodies")
struct SignalBodyTests {
  @Test(arguments: SignalBody.Signal.allCases)
  func `what is written is read back`(signal: SignalBody.Signal) throws {
    #expect(try SignalBody(json: SignalBody(signal: signal).json).signal == signal)
  }

  @Test func `the words are frozen`() {
    #expect(
      SignalBody.Signal.allCases.map(\.rawValue) == [
        "opened", "returned_success", "returned_cancel", "returned_failure", "closed",
        "went_outside", "page_final", "foreground", "relaunched",
      ])
  }

  @Test(
    arguments: [
      ("{}", "signal is missing"), (#"{"signal":"paid"}"#, "signal is not a known signal"),
      (#"{"signal":"Opened"}"#, "signal is not a known signal"),
      (#"{"signal":1}"#, "signal must be a text of 1 to 32 characters"),
      (#"{"signal":"opened","status":"paid"}"#, "status is not a known member"),
      (#""opened""#, "the body must be an object"),
    ])
  func `a wrong body is refused`(text: String, error: String) {
    #expect(reading({ try SignalBody(json: $0).json }, text) == error)
  }
}
