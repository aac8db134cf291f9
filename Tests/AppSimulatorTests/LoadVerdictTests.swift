import Testing

@testable import AppSimulator

@Suite("How a load judges")
struct LoadVerdictTests {
  private let writes: [LoadWrite: Int] = [
    .checkout(key: "k1", payment: "p1", order: "o1"): 4,
    .refund(key: "k1-1", refund: "r1", payment: "p1"): 1, .webhook(hash: "h1"): 2,
  ]
  private let store = LoadStore(
    payments: ["p1": "o1", "p2": "o2"], refunds: ["r1": "p1"], deliveries: ["h1": 2, "h2": 1])

  @Test func `a store with all that was acknowledged is right, with more in it too`() {
    let verdict = LoadVerdict(writes, in: store)
    #expect(verdict.lost.isEmpty && verdict.doubled.isEmpty && verdict.locked.isEmpty)
  }

  @Test func `whatever is not in the store is lost`() {
    let verdict = LoadVerdict(writes, in: LoadStore(deliveries: ["h1": 1]))
    #expect(
      verdict.lost == ["1 deliveries of h1", "payment p1 of key k1", "refund r1 of key k1-1"])
  }

  @Test func `a payment of another order, or a refund of another payment, is lost`() {
    var other = store
    other.payments["p1"] = "o2"
    other.refunds["r1"] = "p2"
    #expect(LoadVerdict(writes, in: other).lost.count == 2)
  }

  @Test func `one key with two ids, or a delivery counted too often, is doubled`() {
    var twice = writes
    twice[.checkout(key: "k1", payment: "p2", order: "o2")] = 1
    var store = store
    store.deliveries["h1"] = 3
    let verdict = LoadVerdict(twice, in: store)
    #expect(verdict.doubled == ["1 deliveries of h1", "checkout k1: p1, p2"])
    #expect(verdict.lost.isEmpty)
  }

  @Test func `a log line that tells of a lock is found`() {
    var store = store
    store.log = ["all well", "store busy: sqlite busy (5): database is locked in: BEGIN IMMEDIATE"]
    #expect(LoadVerdict(writes, in: store).locked == [store.log[1]])
  }
}
