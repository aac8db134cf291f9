import FoundationEssentials
import MerchantCommands
import Testing

@testable import Bootstrap

@Suite("The pages about going live")
struct LivePageTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Docs/GoLive")

  /// The words in the first column of a page's tables.
  private func items(_ page: String) throws -> [String] {
    let text = try String(contentsOf: Self.folder.appending(path: page), encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      line.prefixMatch(of: #/\| `([a-z]+)` \|/#).map { String($0.1) }
    }
  }

  @Test func `each page has the lines that are printed, in their order`() async throws {
    let checks = try await LiveWorld().checks()
    let pages = [
      ("server", "README.md"), ("tabby demo", "tabby.md"), ("futa demo", "futa.md"),
      ("rais demo", "rais.md"), ("tebex demo", "tebex.md"), ("seb demo", "seb.md"),
    ]
    #expect(Set(checks.map(\.subject)) == Set(pages.map(\.0)))
    for (subject, page) in pages {
      let answers = ["yes", "no"]
      let told = try items(page).filter { !answers.contains($0) }
      #expect(told == checks.filter { $0.subject == subject }.map(\.item), "\(page)")
    }
  }
}
