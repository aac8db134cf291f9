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
  // What a record holds came from outside, and is asked about links from outside.
  for url in ["https://shop.example/pay?payment_id=1", record.payment?.returnURLs.success ?? ""] {
    guard let link = record.match(url) ?? record.match(callback: url) else { continue }
    try hold(record.payment != nil && !link.kind.rawValue.isEmpty, "a return has a payment")
  }
}

private func checkWords(_ text: String) throws(BrokenClaim) {
  let status = PaymentStatus(stored: text)
  try hold(PaymentStatus(stored: status.description) == status, "a status is read back")
  if let outcome = CheckoutOutcome(stored: text) {
    try hold(outcome.stored == text, "an outcome is read back")
  }
}
