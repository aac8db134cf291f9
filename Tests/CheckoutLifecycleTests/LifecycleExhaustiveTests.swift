import CheckoutLifecycle
import PaymentModels
import Testing

@Suite("CheckoutLifecycle, walked whole", .serialized)
struct LifecycleExhaustiveTests {
  static let walks = PresentationRule.all.map { LifecycleWalk($0, depth: 7) }

  @Test func `no order of events breaks a rule, under any row of the table`() {
    var (states, edges) = (0, 0)
    for walk in Self.walks {
      #expect(walk.violations == [], "\(walk.rule.provider) in \(walk.rule.strategy)")
      #expect(walk.nodes.count > 300 && walk.edgeCount > 10_000)
      states += walk.nodes.count
      edges += walk.edgeCount
    }
    print("lifecycle: \(Self.walks.count) rows, \(states) states, \(edges) edges")
  }

  /// Of an answer the lifecycle keeps the payment and the version, and asks what it proves.
  @Test func `the walk has an answer for everything that one can prove, and for nothing`() {
    let statuses: [PaymentStatus?] = [
      nil, .created, .pending, .authorized, .captured, .rejected, .expired, .cancelled,
      .unknown("NEW"),
    ]
    let all = Set(
      OrderState.allCases.flatMap { order in
        statuses.map { answer($0, order: order).outcome }
      })
    #expect(Set(LifecycleWalk.answers.map(\.outcome)) == all)
    #expect(all.count == 6)
  }

  @Test func `every signal of a strategy does something`() {
    for walk in Self.walks {
      let alphabet = walk.rule.strategy.traits.alphabet
      #expect(Set(alphabet) == walk.used, "\(walk.rule.provider) in \(walk.rule.strategy)")
    }
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
