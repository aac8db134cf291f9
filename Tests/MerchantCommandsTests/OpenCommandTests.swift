import CommandLineParser
import Testing

@testable import MerchantCommands

@Suite("till open")
struct OpenCommandTests {
  @Test(arguments: [
    ("dashboard", "http://shop.test/dashboard"),
    ("payment \(someID)", "http://shop.test/dashboard/payments/\(someID)"),
    ("order \(someID)", "http://shop.test/dashboard/payments?q=\(someID)"),
    ("sandbox", "http://127.0.0.1:4010/sandbox"),
    ("sandbox --url https://box.test/", "https://box.test/sandbox"),
  ])
  func `each page is a URL of the server in use`(line: String, url: String) throws {
    let words = line.split(separator: " ").map(String.init)
    for (more, inBrowser) in [([], false), (["--browser"], true)] {
      let parsed = tillCommand.parse(["open"] + words + more)
      guard case .run(.open(let page, let opens)) = parsed else {
        Issue.record("\(line) is not understood")
        return
      }
      #expect(opens == inBrowser)
      for server in ["http://shop.test", "http://shop.test/"] {
        #expect(page.url(server: server) == url)
      }
    }
  }

  @Test(arguments: [
    "payment", "payment x", "order ../../etc", "sandbox --url file:///etc/passwd",
    "sandbox --url http://", "kitchen",
  ])
  func `what is no page is refused`(line: String) {
    let words = line.split(separator: " ").map(String.init)
    guard case .refused = tillCommand.parse(["open"] + words) else {
      Issue.record("\(line) is understood")
      return
    }
  }

  @Test func `its help says what it starts`() {
    #expect(
      help("open payment --help") == """
        A payment on the dashboard.

        Usage:
          till open payment ID [--browser]

        Arguments:
          ID  The payment's id

        Options:
          --browser  Open it in a browser too
          --help     Show this text

        """)
    #expect(help("open --help")?.contains("xdg-open") == true)
  }
}

private func help(_ line: String) -> String? {
  let words = line.split(separator: " ").map(String.init)
  return if case .help(let text) = tillCommand.parse(words) { text } else { nil }
}
