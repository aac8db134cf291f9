import KitEnvironment
import PaymentModels

/// One line of the log as a JSON object, with its line feed.
///
/// Facts that a line of `lineBytesMax` has no room for are left out, and `"cut":true` says so: a
/// line that was cut like a text would be no JSON.
func jsonLogLine(
  at instant: Instant, _ level: LogLevel, _ message: String, _ facts: [(String, String)]
) -> [UInt8] {
  let cut = #","cut":true"#
  var line = #"{"time":\#(jsonText(instant.description)),"level":"\#(levelName(level))","#
  line += #""message":\#(jsonText(message))"#
  var isCut = false
  for (name, value) in facts {
    let member = ",\(jsonText(name)):\(jsonText(value))"
    if line.utf8.count + member.utf8.count + cut.utf8.count + 2 > lineBytesMax {
      isCut = true
    } else {
      line += member
    }
  }
  return Array("\(line)\(isCut ? cut : "")}\n".utf8)
}

/// A JSON string. Beside what JSON asks for, everything is escaped that moves the cursor or
/// reorders text: whoever looks at the line in a terminal sees what it says.
private func jsonText(_ text: String) -> String {
  let inside = escaped(text) { scalar in
    String(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
  return "\"\(inside)\""
}
