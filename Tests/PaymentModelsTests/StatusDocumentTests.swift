import FoundationEssentials
import PaymentModels
import Testing

/// The picture of a payment's states, drawn from the table of legal steps; `make docs` draws it
/// anew.
@Suite("The states of a payment, as documented")
struct StatusDocumentTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Docs/Modules/PaymentModels.md")

  private static let states: [PaymentStatus] = [
    .created, .pending, .authorized, .captured, .rejected, .expired, .cancelled,
  ]

  private static var diagram: String {
    let steps = states.flatMap { from in
      states.filter { $0 != from && from.allows($0) }.map { to in
        // Money that comes after an end is late, and a person may have to look at it.
        "  \(from) --> \(to)" + (from.isFinalUnpaid ? " : late money" : "")
      }
    }
    return (["  [*] --> created"] + steps).joined(separator: "\n")
  }

  @Test func `the diagram is the table of legal steps`() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let start = try #require(text.firstRange(of: "```mermaid\nstateDiagram-v2\n")).upperBound
    let end = try #require(text[start...].firstRange(of: "\n```")).lowerBound
    if ProcessInfo.processInfo.environment["TILL_WRITE_DOCS"] != nil {
      try (text[..<start] + Self.diagram + text[end...]).write(
        to: Self.page, atomically: true, encoding: .utf8)
      return
    }
    #expect(text[start..<end] == Self.diagram, "make docs draws it anew")
  }
}
