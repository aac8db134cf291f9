import CommandLineParser
import MerchantCommands
import SystemRuntime
import Testing

/// Docs/Commands.md: the help of every command, as it is now.
@Suite("The page of all commands")
struct CommandPageTests {
  private static let file =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/") + "/Docs/Commands.md"

  @Test func `the page in Docs is the help of every command`() throws {
    let page = try Self.page()
    if ProcessFacts.environment()["TILL_WRITE_DOCS"] != nil {
      try Files.replace(Self.file, with: Array(page.utf8))
    } else {
      let text = String(decoding: try Files.read(Self.file, bytesMax: 1 << 20), as: UTF8.self)
      #expect(text == page, "Docs/Commands.md is out of date: run make docs")
    }
  }

  @Test func `no line of a help is wider than a terminal`() throws {
    for line in try Self.page().split(separator: "\n") where !line.hasPrefix("Every") {
      #expect(line.count <= 80 || line.hasPrefix("  "), "\(line)")
    }
  }

  private static func page() throws -> String {
    var page = """
      # Commands

      Every command of `till`, as its `--help` has it. `make docs` writes this page.

      """
    for path in paths(tillCommand, []) {
      guard case .help(let text) = tillCommand.parse(path + ["--help"]) else {
        throw UsageError("\(path) has no help")
      }
      let title = (["till"] + path).joined(separator: " ")
      page += "\n## \(title)\n\n```text\n\(text)```\n"
    }
    return page
  }

  private static func paths(_ command: Command<TillAction>, _ path: [String]) -> [[String]] {
    [path] + command.commands.flatMap { paths($0, path + [$0.name]) }
  }
}
