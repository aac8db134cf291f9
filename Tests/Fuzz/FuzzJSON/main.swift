import FuzzDriver
import StrictJSON

// Any bytes are read or refused without a trap. What was read is written as a text that reads
// back as the same value and is written as the same bytes again.
unsafe runFuzzer { start, count in
  let bytes = unsafe fuzzBytes(start, count)
  guard let value = try? JSONValue(parsing: bytes) else { return 0 }
  let written = value.serialized()
  precondition(
    String(validating: written, as: UTF8.self) != nil, "what is written is UTF-8")
  guard let again = try? JSONValue(parsing: written, limits: JSONLimits(bytesMax: .max)) else {
    preconditionFailure("what is written can be read")
  }
  precondition(again == value, "what is written means the same")
  precondition(again.serialized() == written, "what is read is written as the same bytes")
  return 0
}
