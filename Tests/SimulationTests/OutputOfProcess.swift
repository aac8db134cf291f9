import Testing

/// What a process of its own printed: a hash that differs from process to process, then the trace
/// of a world.
struct OutputOfProcess {
  let hash: String
  let trace: String

  init(_ result: ExitTest.Result?) throws {
    let output = try #require(result).standardOutputContent
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    // The runner may print lines of its own before.
    let start = try #require(lines.firstIndex { $0.hasPrefix("hash ") })
    hash = lines[start]
    trace = lines[(start + 1)...].joined(separator: "\n")
  }
}
