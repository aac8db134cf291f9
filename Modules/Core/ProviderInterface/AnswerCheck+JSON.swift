public import PaymentModels
public import StrictJSON

extension AnswerCheck {
  /// Sorts the answers of an API whose errors are JSON.
  ///
  /// - Parameters:
  ///   - secrets: texts that no error may show.
  ///   - successes: statuses of an answer that is to be read.
  ///   - errorCodePath: where the API's own code stands in the body of an error.
  public init(secrets: [Secret], successes: Set<Int>, errorCodePath: String) {
    self.init(secrets: secrets.map { $0.reveal() }, successes: successes) {
      (try? JSONValue(parsing: $0))?.find(errorCodePath)?.text
    }
  }

  /// What an answer maps to; one that lacks what the document promises is ``malformed(_:)``.
  public func map<Value>(
    _ mapping: () throws(JSONPathError) -> Value
  ) throws(ProviderError) -> Value {
    do {
      return try mapping()
    } catch {
      throw malformed(error)
    }
  }

  /// What an answer says about the payment that was asked for. Another payment's answer is none.
  public func reading(
    of id: ProviderPaymentID, _ mapping: () throws(JSONPathError) -> PaymentReading
  ) throws(ProviderError) -> PaymentReading {
    let reading = try map(mapping)
    guard reading.providerPaymentID == id else {
      throw malformed(JSONPathError(path: "id", "is another payment's"))
    }
    return reading
  }

  /// What an answer to a create says, from a provider that gives every payment a page.
  ///
  /// A replay may find the payment over; until then there is a page to pay on.
  ///
  /// - Parameter mapping: the reading, and the page if the answer has one.
  public func created(
    _ mapping: () throws(JSONPathError) -> (reading: PaymentReading, page: String?)
  ) throws(ProviderError) -> CreatedPayment {
    let (reading, page) = try map(mapping)
    guard page != nil || reading.status.isFinalForPayer else {
      throw malformed(JSONPathError(path: "checkout_url", "is missing"))
    }
    return CreatedPayment(reading: reading, checkoutURL: page)
  }
}
