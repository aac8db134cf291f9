private import Glibc
public import KitEnvironment
import PaymentModels

/// A longer line is cut: one line stays one write, also if a fact is a stranger's text.
let lineBytesMax = 4_096

/// How a log line is written.
public enum LogFormat: String, Sendable, CaseIterable {
  /// For people: `2026-11-30T08:11:14Z info order paid order=ord_1`. Values with anything but
  /// plain characters stand in quotes, escaped.
  case text
  /// For programs: one JSON object a line, with `time`, `level`, `message` and the facts by their
  /// names.
  case json
}

extension KitLog {
  /// Writes lines of `minimum` and above to standard error, each by one `write(2)`.
  ///
  /// A line is time, level, message and facts. No value can look like another fact or like a line
  /// of its own. A line that cannot be written is dropped.
  public static func standardError(
    minimum: LogLevel = .info, format: LogFormat = .text
  ) -> KitLog {
    KitLog { level, message, facts in
      guard level >= minimum else { return }
      switch format {
      case .text: writeLine(logLine(at: systemNow(), level, message, facts))
      case .json: writeLine(jsonLogLine(at: systemNow(), level, message, facts))
      }
    }
  }
}

/// One line of the log, with its line feed.
func logLine(
  at instant: Instant, _ level: LogLevel, _ message: String, _ facts: [(String, String)]
) -> [UInt8] {
  var line = "\(instant) \(levelName(level)) \(escaped(message, as: swiftCode))"
  for (name, value) in facts {
    line += " \(isPlain(name) ? name : quoted(name))=\(isPlain(value) ? value : quoted(value))"
  }
  var bytes = Array(line.utf8)
  if bytes.count >= lineBytesMax {
    // Cut before a whole character, so that the line stays valid UTF-8.
    var end = lineBytesMax - 4
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    bytes = bytes[..<end] + Array("...".utf8)
  }
  return bytes + [0x0A]
}

func levelName(_ level: LogLevel) -> String {
  switch level {
  case .debug: "debug"
  case .info: "info"
  case .warning: "warning"
  case .error: "error"
  }
}

private func isPlain(_ text: String) -> Bool {
  !text.isEmpty
    && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"=\\".utf8.contains($0) }
}

private func quoted(_ text: String) -> String { "\"\(escaped(text, as: swiftCode))\"" }

/// As in the source of a Swift program.
private func swiftCode(_ scalar: Unicode.Scalar) -> String {
  "\\u{\(String(scalar.value, radix: 16))}"
}

/// Escapes quotes, backslashes and, as `code` writes it, everything that moves the cursor or
/// reorders text: controls, line and paragraph separators, and the format characters that turn the
/// writing direction.
func escaped(_ text: String, as code: (Unicode.Scalar) -> String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\":
      result += "\\"
      result.unicodeScalars.append(scalar)
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    default:
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        result += code(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
  return result
}

private func writeLine(_ bytes: [UInt8]) {
  // The buffer does not leave the closure.
  unsafe bytes.withUnsafeBytes { buffer in
    var written = 0
    while written < buffer.count {
      // Reads only the rest of the array, which outlives the call.
      let count = unsafe write(
        STDERR_FILENO, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return }
      written += count
    }
  }
}
