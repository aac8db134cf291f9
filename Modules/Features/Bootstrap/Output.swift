import SystemRuntime

/// Standard output and error of this process, line by line and unbuffered.
enum Output {
  static func write(_ text: String) { StandardStream.output.write(text) }
  static func complain(_ line: String) { StandardStream.error.write(line + "\n") }
}
