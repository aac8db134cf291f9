import PaymentModels
import PaymentStore
import SQLitePaymentStore
import SystemRuntime
import TestSupport
import Testing

@Suite("What is erased is nowhere in the store's files")
struct ErasureTests {
  private static let phone = "+971509876543"
  private static let kept = "+971501112223"

  /// How often a text stands in the files of a store.
  private static func count(_ text: String, in path: String) throws -> Int {
    let needle = Array(text.utf8)
    var count = 0
    for file in [path, "\(path)-wal", "\(path)-shm"] where Files.exists(file) {
      let bytes = try Files.read(file, bytesMax: 64 << 20)
      guard let first = needle.first, bytes.count >= needle.count else { continue }
      var index = bytes.startIndex
      while let found = bytes[index...].firstIndex(of: first), found + needle.count <= bytes.count {
        if bytes[found..<(found + needle.count)].elementsEqual(needle) { count += 1 }
        index = found + 1
      }
    }
    return count
  }

  /// Orders 1 to 40: odd ones are of the buyer who is erased. Bytes are short and long, so that
  /// they lie inside rows and in pages of their own.
  private static func fill(_ store: SQLitePaymentStore) async throws {
    for number in 1...40 {
      let phone = number % 2 == 1 ? phone : kept
      let padding = String(repeating: "x", count: [0, 300, 3_000, 20_000][number % 4])
      let text = Array("{\"phone\":\"\(phone)\",\"more\":\"\(padding)\"}".utf8)
      try await store.write { transaction in
        var order = Sample.order(number)
        order = OrderRow(
          id: order.id, subject: Subject(number % 2 == 1 ? "u-1" : "u-2"), lines: order.lines,
          total: order.total, createdAt: order.createdAt)
        try transaction.insertOrder(order)
        var payment = Sample.payment(number, order: number)
        payment.createRequest = text
        payment.createState = .created
        payment.status = .captured
        payment.providerPaymentID = ProviderPaymentID("p-\(number)")
        payment.checkoutURL = "https://pay.example/?phone=\(phone)"
        payment.verificationKey = Secret("key of \(phone)")
        try transaction.insertPayment(payment)
        for (offset, isOurs) in [(0, true), (100, false)] {
          var webhook = Sample.webhook(number + offset)
          webhook.state = .processed
          webhook.nextTryAt = nil
          webhook.body = text
          webhook.checkedHeaders = "X-Signature: of \(phone)"
          webhook.paymentReference = isOurs ? payment.id : nil
          webhook.providerPaymentID = isOurs ? nil : payment.providerPaymentID
          try transaction.insertWebhook(webhook)
        }
      }
    }
  }

  @Test func `a buyer's phone number is in no file after the erasure, and another's still is`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      let store = try SQLitePaymentStore.open(path: path)
      try await Self.fill(store)
      #expect(try Self.count(Self.phone, in: path) >= 20 * 5)
      let now = Sample.start + .seconds(9_000)
      let erased = try await store.write { try $0.eraseBuyer(Subject("u-1"), at: now) }
      try await store.checkpoint()
      #expect(erased.orders.count == 20)
      #expect(erased.bodies == 40)
      #expect(erased.requests == 20)
      #expect(erased.pages == 20)
      #expect(erased.waiting == 0)
      #expect(try Self.count(Self.phone, in: path) == 0)
      #expect(try Self.count(Self.kept, in: path) >= 20 * 5)
      let (webhook, payment, order) = try await store.read { transaction in
        (
          try transaction.webhook(Sample.webhookID(1)),
          try transaction.payment(Sample.paymentID(1)), try transaction.order(Sample.orderID(1))
        )
      }
      #expect(webhook?.bodyErasedAt == now)
      #expect(webhook?.bodyHash == "hash-1")
      #expect(payment?.providerPaymentID == ProviderPaymentID("p-1"))
      #expect(payment?.amount == Sample.payment().amount)
      #expect(order?.lines.count == 2)
      let again = try await store.write { try $0.eraseBuyer(Subject("u-1"), at: now) }
      #expect(!again.isChange && again.orders.count == 20)
      await store.close()
      #expect(try Self.count(Self.phone, in: path) == 0)
    }
  }

  @Test func `bytes that are erased by their age are in no file either`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      let store = try SQLitePaymentStore.open(path: path)
      try await Self.fill(store)
      try await store.write { transaction in
        _ = try transaction.eraseWebhookBodies(
          receivedBefore: Sample.start + .seconds(9_000), limit: 1_000, at: Sample.start)
        for subject in ["u-1", "u-2"] {
          _ = try transaction.eraseBuyer(Subject(subject), at: Sample.start)
        }
        try transaction.removeWebhooks(.tabby, in: .processed, keeping: 10, limit: 1_000)
      }
      try await store.checkpoint()
      #expect(try Self.count(Self.phone, in: path) == 0)
      #expect(try Self.count(Self.kept, in: path) == 0)
      await store.close()
    }
  }

  @Test func `a checkpoint while a reader sees the old rows says so`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/till.sqlite"
      let store = try SQLitePaymentStore.open(path: path, busyTimeoutMs: 50)
      try await Self.fill(store)
      let (entered, leave) = (WakeSignal(), WakeSignal())
      async let reading: Int = store.read { transaction in
        let count = try transaction.payments(before: nil, limit: 99).count
        entered.raise()
        leave.wait()
        return count
      }
      try await blocking { entered.wait() }
      _ = try await store.write { try $0.eraseBuyer(Subject("u-1"), at: Sample.start) }
      let refusal = await kindThrown { try await store.checkpoint() }
      #expect(refusal == .busy)
      leave.raise()
      #expect(try await reading == 40)
      try await store.checkpoint()
      #expect(try Self.count(Self.phone, in: path) == 0)
      await store.close()
    }
  }
}
