import StrictJSON

/// Any bytes are read or refused without a trap. What was read is written as a text that reads
/// back as the same value and is written as the same bytes again.
func checkJSON(_ input: [UInt8]) throws(BrokenClaim) {
  guard let value = try? JSONValue(parsing: input) else { return }
  let written = value.serialized()
  try hold(
    Array(String(decoding: written, as: UTF8.self).utf8) == written, "what is written is UTF-8")
  guard let again = try? JSONValue(parsing: written, limits: JSONLimits(bytesMax: .max)) else {
    throw BrokenClaim(description: "what is written can be read")
  }
  try hold(again == value, "what is written means the same")
  try hold(again.serialized() == written, "what is read is written as the same bytes")
}
