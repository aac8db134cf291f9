import CheckoutLifecycle
import FoundationEssentials
import PaymentModels
import Testing

@Suite("CheckoutLifecycle, walked whole")
struct LifecycleExhaustiveTests {
  private static let walk = LifecycleWalk(depth: 7, alphabet: LifecycleWalk.alphabet)

  @Test func `no order of events breaks a rule`() {
    let walk = Self.walk
    #expect(walk.violations == [])
    #expect(walk.nodes.count > 900 && walk.edgeCount > 30_000)
    print("lifecycle: \(walk.nodes.count) states, \(walk.edgeCount) edges")
  }

  @Test func `the diagram in the documentation is the one that is walked`() throws {
    let walk = Self.walk
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appending(path: "Docs/Modules/CheckoutLifecycle.md"), encoding: .utf8)
    let diagram = Self.diagram(walk.arrows)
    #expect(page.contains(diagram), "the page should hold:\n\(diagram)")
  }

  private static func diagram(_ arrows: Set<[String]>) -> String {
    var events: [[String]: [String]] = [:]
    for arrow in arrows { events[Array(arrow[..<2]), default: []].append(arrow[2]) }
    let lines = events.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ends, names in
      "  \(ends[0]) --> \(ends[1]): \(names.sorted().joined(separator: ", "))"
    }
    return (["stateDiagram-v2", "  [*] --> new"] + lines).joined(separator: "\n")
  }

  @Test(
    arguments: OrderState.allCases,
    [
      nil, PaymentStatus.created, .pending, .authorized, .captured, .rejected, .expired, .cancelled,
      .unknown("NEW"),
    ])
  func `an answer proves what it says and nothing else`(order: OrderState, status: PaymentStatus?) {
    let expected: CheckoutOutcome? =
      switch (order, status) {
      case (.needsReview, _): .unresolved(.underReview)
      case (.authorized, _), (.paid, _): .succeeded
      case (.cancelled, .authorized), (.cancelled, .captured): .unresolved(.underReview)
      case (_, .authorized), (_, .captured): .succeeded
      case (_, .rejected): .failed(.rejected)
      case (_, .expired): .failed(.expired)
      case (_, .cancelled): .cancelled
      case (_, .created), (_, .pending), (_, .unknown), (_, nil): nil
      }
    #expect(answer(status, order: order).outcome == expected)
  }

  @Test func `the cart is kept unless the payment succeeded`() {
    #expect(!CheckoutOutcome.succeeded.keepsCart)
    let others: [CheckoutOutcome] = [
      .failed(.rejected), .failed(.expired), .cancelled, .unresolved(.stillConfirming),
      .unresolved(.underReview),
    ]
    for outcome in others { #expect(outcome.keepsCart) }
  }
}
