import PaymentModels
import Testing

@Suite("Payment states")
struct PaymentStatusTests {
  static let all: [PaymentStatus] = [
    .created, .pending, .authorized, .captured, .rejected, .expired, .cancelled, .unknown("NEW"),
  ]

  @Test(
    arguments: [
      // To: created, pending, authorized, captured, rejected, expired, cancelled, unknown.
      (.created, [1, 1, 1, 1, 1, 1, 1, 1]),
      (.pending, [0, 1, 1, 1, 1, 1, 1, 1]),
      (.authorized, [0, 0, 1, 1, 0, 0, 1, 0]),
      (.captured, [0, 0, 0, 1, 0, 0, 0, 0]),
      (.rejected, [0, 0, 1, 1, 1, 0, 0, 0]),
      (.expired, [0, 0, 1, 1, 0, 1, 0, 0]),
      (.cancelled, [0, 0, 1, 1, 0, 0, 1, 0]),
      (.unknown("NEW"), [1, 1, 1, 1, 1, 1, 1, 1]),
    ] as [(PaymentStatus, [Int])])
  func `the table of legal edges`(from: PaymentStatus, row: [Int]) {
    #expect(Self.all.map { from.allows($0) ? 1 : 0 } == row)
  }

  @Test func `one unknown word may follow another`() {
    #expect(PaymentStatus.unknown("A").allows(.unknown("B")))
  }

  @Test func `what each state says of the money and of the payer's wait`() {
    #expect(Self.all.filter(\.holdsMoney) == [.authorized, .captured])
    #expect(Self.all.filter(\.isFinalUnpaid) == [.rejected, .expired, .cancelled])
    #expect(
      Self.all.filter(\.isFinalForPayer)
        == [.authorized, .captured, .rejected, .expired, .cancelled])
  }

  @Test func `the words in rows and answers are frozen`() {
    #expect(
      Self.all.map(\.description) == [
        "created", "pending", "authorized", "captured", "rejected", "expired", "cancelled",
        "unknown:NEW",
      ])
  }

  @Test(
    arguments: all + [
      .unknown(""), .unknown("created"), .unknown("unknown:x"), .unknown("\u{301}x"),
      .unknown("Authorized"), .unknown("creating"), .unknown("authorized "),
    ])
  func `what is stored is read back`(status: PaymentStatus) {
    #expect(PaymentStatus(stored: status.description) == status)
  }

  @Test(arguments: ["Authorized", "AUTHORIZED", "paid", "", " captured"])
  func `a word that nobody wrote stays unknown`(text: String) {
    #expect(PaymentStatus(stored: text) == .unknown(text))
  }
}
