import CheckoutLifecycle
import PaymentModels
import Simulation
import StrictJSON

/// What a store or a file keeps is read or refused, and what is read is written back as the same.
/// The first byte says what it is.
func checkRecords(_ bytes: [UInt8]) throws(BrokenClaim) {
  var input = FuzzInput(bytes)
  switch input.choice(of: 3) {
  case 0: try checkCheckout(&input)
  case 1: try checkWords(input.text())
  default:
    guard let json = try? JSONValue(parsing: input.remainder()),
      let world = try? WorldRegression(json: json)
    else { return }
    try hold((try? WorldRegression(json: world.json)) == world, "a world is read back")
  }
}

/// A stored checkout, one field in a line as `name=value`.
private func checkCheckout(_ input: inout FuzzInput) throws(BrokenClaim) {
  var fields: [CheckoutRecord.Field: String] = [:]
  for line in input.text().split(separator: "\n") {
    let halves = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, let field = CheckoutRecord.Field(rawValue: String(halves[0])) else {
      continue
    }
    fields[field] = String(halves[1])
  }
  guard let record = try? CheckoutRecord(fields: fields) else { return }
  let written = Dictionary(uniqueKeysWithValues: record.fields.map { ($0.field, $0.value) })
  guard let again = try? CheckoutRecord(fields: written) else {
    throw BrokenClaim(description: "a record that is written can be read")
  }
  try hold(again == record, "a record is read back")
  try hold(
    record.stage != .settled || record.outcome?.isProven == true, "an end is one that was proven")
  try checkReturns(of: record)
}

/// What a record holds came from outside, and is asked about links from outside.
private func checkReturns(of record: CheckoutRecord) throws(BrokenClaim) {
  func match(_ url: String) -> CheckoutReturn? { record.match(url) ?? record.match(callback: url) }
  let foreign = match("https://shop.example/pay?payment_id=1")
  guard let urls = record.payment?.returnURLs else {
    return try hold(foreign == nil, "a return has a payment")
  }
  if let foreign {
    let own = [CheckoutReturn.Kind.success: urls.success, .cancel: urls.cancel][foreign.kind]
    try hold(
      (own ?? urls.failure).lowercased().contains("shop.example"),
      "a page of another host is no return")
  }
  // One that cannot be read matches nothing, so what is left of it may be another's.
  guard ReturnURLMatcher(urls).match(urls.success)?.kind == .success else { return }
  let own = String(urls.success.prefix { $0 != "?" })
  let link = match(own)
  try hold(link == nil || link?.kind == .success, "the address of success is that of success")
  if own.wholeMatch(of: #/[a-z]+:\/\/[a-z]+(\/[a-z]+)*/#) != nil {
    try hold(link != nil, "the address that was registered is a return")
  }
}

private func checkWords(_ text: String) throws(BrokenClaim) {
  let status = PaymentStatus(stored: text)
  try hold(PaymentStatus(stored: status.description) == status, "a status is read back")
  if let outcome = CheckoutOutcome(stored: text) {
    try hold(outcome.stored == text, "an outcome is read back")
  }
}
