import PaymentModels
import PaymentStore
import TestSupport
import Testing

@Suite struct InMemoryPaymentStoreTests {
  @Test(arguments: PaymentStoreContract.cases)
  func `the contract of every store holds`(_ promise: PaymentStoreContract.Case) async throws {
    #expect(try await promise.violations(of: InMemoryPaymentStore()) == [])
  }

  @Test(arguments: CommitObserverContract.cases)
  func `the observer hears of each commit`(_ promise: CommitObserverContract.Case) async throws {
    let opener = CommitObserverContract.Opener { InMemoryPaymentStore(onCommit: $0) }
    #expect(try await promise.violations(of: opener) == [])
  }

  @Test func `a transaction kept past its body traps`() async {
    await #expect(processExitsWith: .failure) {
      let kept = Kept()
      let store = InMemoryPaymentStore()
      try await store.read { kept.transaction = $0 }
      _ = try kept.transaction?.order(Sample.orderID(1))
    }
  }
}

// One body writes it, and the test reads it after that body has returned.
private final class Kept: @unchecked Sendable {
  var transaction: (any PaymentTransaction)?
}
