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
  var line: [UInt8] = []
  line.reserveCapacity(256)
  line.append(contentsOf: #"{"time":"#.utf8)
  appendText(instant.description, to: &line)
  line.append(contentsOf: #","level":"#.utf8)
  appendText(levelName(level), to: &line)
  line.append(contentsOf: #","message":"#.utf8)
  appendText(message, to: &line)
  var isCut = false
  for (name, value) in facts {
    let end = line.count
    line.append(UInt8(ascii: ","))
    appendText(name, to: &line)
    line.append(UInt8(ascii: ":"))
    appendText(value, to: &line)
    if line.count + cut.utf8.count + 2 > lineBytesMax {
      line.removeSubrange(end...)
      isCut = true
    }
  }
  if isCut { line.append(contentsOf: cut.utf8) }
  line.append(contentsOf: "}\n".utf8)
  return line
}

/// Adds a JSON string. Nearly every text is plain ASCII and is copied as it is.
private func appendText(_ text: String, to line: inout [UInt8]) {
  let isPlain = text.utf8.allSatisfy {
    (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
  }
  line.append(UInt8(ascii: "\""))
  line.append(contentsOf: (isPlain ? text : jsonText(text)).utf8)
  line.append(UInt8(ascii: "\""))
}

/// What stands between the quotes of a JSON string. Beside what JSON asks for, everything is
/// escaped that moves the cursor or reorders text: whoever looks at the line in a terminal sees
/// what it says.
private func jsonText(_ text: String) -> String {
  escaped(text) { scalar in
    String(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}
