import HTTPExchange
import MerchantCommands
import PaymentModels
import ProviderInterface

/// Puts a text through one of the small readers; the first byte says which.
func checkTexts(_ bytes: [UInt8]) throws(BrokenClaim) {
  var input = FuzzInput(bytes)
  switch input.choice(of: 8) {
  case 0: try checkQuery(&input)
  case 1: try checkDecimal(&input)
  case 2: try checkAmounts(&input)
  case 3: try checkTimes(&input)
  case 4: try checkPhone(&input)
  case 5: try checkMask(&input)
  case 6: try checkZone(&input)
  default: try checkTable(&input)
  }
}

/// What was encoded is decoded as the same, a query that is written anew has the same parameters,
/// and reading makes no more of it than there was.
private func checkQuery(_ input: inout FuzzInput) throws(BrokenClaim) {
  let name = input.textLine()
  let text = input.text()
  try hold(
    QueryText.decode(QueryText.encode(text)).map { Array($0.utf8) } == Array(text.utf8),
    "what was encoded is decoded as the same")
  for pairs in [QueryText.parse(text), QueryText.parseForm(text)] {
    try hold(pairs.count <= 1 + text.utf8.count { $0 == UInt8(ascii: "&") }, "a pair for each part")
    let size = pairs.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    try hold(size <= text.utf8.count, "reading makes nothing longer")
    let written = pairs.map { "\(QueryText.encode($0.name))=\(QueryText.encode($0.value))" }
      .joined(separator: "&")
    try hold(
      QueryText.parse(written).elementsEqual(pairs) { $0 == $1 }, "what is written is read back")
  }
  let request = HTTPRequest(method: "GET", target: QueryText.append(name, text, to: "/a?b=c"))
  try hold(
    request.query.last.map { $0 == (name, text) } == true && request.query.count == 2,
    "a parameter that was added is there")
}

/// An amount that was read is written and read back as the same, counts its own digits, and the
/// reader that takes a provider's zeros agrees.
private func checkDecimal(_ input: inout FuzzInput) throws(BrokenClaim) {
  let exponent = input.choice(of: 5)
  guard let currency = Currency(code: "AED", exponent: exponent) else { return }
  let text = input.text()
  if let listed = Currency(iso4217: String(text.prefix(3))) {
    try hold(
      listed.code.utf8.count == 3 && listed.code.utf8.allSatisfy { (65...90).contains($0) },
      "a code of the standard is three capital letters")
  }
  let padded = try? Money(paddedDecimal: text, currency: currency)
  guard let money = try? Money(decimal: text, currency: currency) else {
    if let padded { try checkReadBack(padded) }
    return
  }
  try hold(padded == money, "zeros behind the last digit say nothing")
  try checkReadBack(money)
  let digits = text.utf8.filter { $0 != UInt8(ascii: ".") }.drop { $0 == UInt8(ascii: "0") }
  let counted = String(money.minorUnits).utf8.drop { $0 == UInt8(ascii: "0") }
  try hold(
    counted.starts(with: digits)
      && counted.dropFirst(digits.count).allSatisfy { $0 == UInt8(ascii: "0") },
    "an amount counts the digits that were written")
}

private func checkReadBack(_ money: Money) throws(BrokenClaim) {
  try hold((0...Money.minorUnitsMax).contains(money.minorUnits), "an amount is within bounds")
  try hold(
    (try? Money(decimal: money.decimal, currency: money.currency)) == money,
    "an amount that is written is read back")
}

/// No number of minor units traps, and a provider's integer means what it was made of.
private func checkAmounts(_ input: inout FuzzInput) throws(BrokenClaim) {
  let (first, second) = (input.int64(), input.int64())
  guard let currency = Currency(code: "KWD", exponent: input.choice(of: 5)) else { return }
  let amounts = IntegerAmounts(currency: currency, exponent: input.choice(of: 5))
  let money = Money(minorUnits: first, currency: currency)
  try hold(!money.description.isEmpty, "an amount can be shown")
  if let sum = money.adding(Money(minorUnits: second, currency: currency)) {
    try hold(sum.minorUnits &- second == first, "a sum is one")
  }
  if let product = money.multiplied(by: second), second != 0 {
    try hold(product.minorUnits / second == first, "a product is one")
  }
  if let wire = amounts.wire(money), first >= 0 {
    try hold(amounts.money(wire, code: currency.code) == money, "an integer means its amount")
  }
  if let read = amounts.money(second, code: currency.code) {
    try hold(amounts.wire(read) == second, "an amount is its integer")
    try checkReadBack(read)
  }
}

/// A time that was read is written and read back as the same; no instant traps.
private func checkTimes(_ input: inout FuzzInput) throws(BrokenClaim) {
  let free = Instant(milliseconds: input.int64())
  let text = input.text()
  // The years 0 to 9999, which have four digits.
  let written =
    Instant(
      milliseconds: -62_167_219_200_000)..<Instant(
      milliseconds: 253_402_300_800_000)
  for instant in [free, Instant(iso8601: text)].compactMap(\.self) {
    let shown = instant.description
    guard written.contains(instant) else { continue }
    try hold(Instant(iso8601: shown) == instant, "a time that is written is read back")
  }
  let distance = Duration.milliseconds(free.milliseconds)
  try hold(Instant(milliseconds: 0) + distance == free, "a distance leads there")
  if let read = Instant(iso8601: text) {
    try hold(!(read + distance).description.isEmpty, "a far time can be shown")
    try hold(read.since(read) == .zero, "nothing lies between a time and itself")
  }
}

/// A number that was read is international, and is read back as the same.
private func checkPhone(_ input: inout FuzzInput) throws(BrokenClaim) {
  let country = input.choice(from: [nil, "AE", "CD", "IT", "XX"])
  guard let phone = InternationalPhone(input.text(), country: country) else { return }
  try hold(
    phone.text.utf8.first == UInt8(ascii: "+")
      && phone.text.utf8.dropFirst().allSatisfy { (48...57).contains($0) }
      && phone.text.utf8.count <= 16, "a number is digits behind a plus")
  try hold(InternationalPhone(phone.text) == phone, "a number that is written is read back")
}

/// A secret is not shown, wherever it stands and whatever stands around it.
private func checkMask(_ input: inout FuzzInput) throws(BrokenClaim) {
  let secret = "x5d0c1f9a77aa40y"
  let (before, after) = (input.line(), input.remainder())
  guard !(before + after).contains(secret.utf8) else { return }
  let shown = MaskedText.shown(before + Array(secret.utf8) + after, secrets: [secret])
  try hold(!shown.contains("5d0c1f9a77"), "a secret is starred out")
  try hold(shown.utf8.count <= MaskedText.shownBytesMax, "what is shown is short")
  try hold(
    shown.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "what is shown is printable")
}

/// Days of any zone file follow each other, and none traps.
private func checkZone(_ input: inout FuzzInput) throws(BrokenClaim) {
  let day = input.textLine()
  let file = input.remainder()
  let zones = [DayZone(fixed: String(decoding: file, as: UTF8.self)), DayZone(file: file), .utc]
  for zone in zones.compactMap(\.self) {
    for text in [day, "2026-10-25", "1970-01-01"] {
      guard let (start, end) = zone.day(text) else { continue }
      try hold(start < end && end.since(start) <= .seconds(3 * 86_400), "a day has an end")
    }
  }
}

/// A row is read back as its cells by RFC 4180, and no cell that is a text is a formula
/// to a program that opens the table.
private func checkTable(_ input: inout FuzzInput) throws(BrokenClaim) {
  let cells = input.remainder().split(separator: 0, omittingEmptySubsequences: false)
    .map { String(decoding: $0, as: UTF8.self) }
  let read = cellsOfRow(CSVText.row(cells.map { .text($0) }))
  try hold(read.count == cells.count, "a row has its cells and no more")
  for (cell, seen) in zip(cells, read) {
    try hold(
      seen == Array(cell.utf8) || seen == [UInt8(ascii: "'")] + Array(cell.utf8),
      "a cell is read back")
    try hold(
      seen.first.map { !"=+-@\t\r\n".utf8.contains($0) } ?? true, "no text is a formula")
  }
}

/// The cells of one row with its line end, by RFC 4180.
private func cellsOfRow(_ row: String) -> [[UInt8]] {
  var cells: [[UInt8]] = [[]]
  var isQuoted = false
  var rest = Array(row.utf8.dropLast(2))[...]
  while let byte = rest.popFirst() {
    switch (byte, isQuoted) {
    case (UInt8(ascii: "\""), true) where rest.first == UInt8(ascii: "\""):
      rest.removeFirst()
      cells[cells.count - 1].append(byte)
    case (UInt8(ascii: "\""), _): isQuoted.toggle()
    case (UInt8(ascii: ","), false): cells.append([])
    default: cells[cells.count - 1].append(byte)
    }
  }
  return cells
}
