import FutaProvider
import PaymentModels
import ProviderInterface
import TestSupport
import Testing

@Suite("FB-16 A new status value, or other casing, breaks the whole answer, at Futa")
struct StateTests {
  private func status(
    _ state: String, _ final: String?, _ change: (inout FutaSettings) -> Void = { _ in }
  ) async throws -> PaymentStatus {
    try await provider(paymentJSON(state: #""\#(state)""#, final: final), change)
      .read(paymentID).status
  }

  @Test(arguments: ["true", "false", nil])
  func `a word that means paid says so by itself`(final: String?) async throws {
    #expect(try await status("paid", final) == .captured)
    #expect(try await status("PAID", final) == .captured)
    #expect(try await status("refunded", final) == .captured)
  }

  @Test(arguments: [
    ("failed", PaymentStatus.rejected), ("Expired", .expired), ("cancelled", .cancelled),
    ("CANCELED", .cancelled),
  ])
  func `a word that means unpaid needs final`(word: String, end: PaymentStatus) async throws {
    #expect(try await status(word, "true") == end)
    for final in ["false", "null", #""true""#, "1", nil] {
      #expect(try await status(word, final) == .pending)
    }
  }

  @Test(arguments: ["created", "pending", "PROCESSING"], ["false", "null", nil])
  func `a word that means open is pending`(word: String, final: String?) async throws {
    #expect(try await status(word, final) == .pending)
  }

  @Test(arguments: [
    "declined", "FAILURE", "failed ", "", "settled", "pa\u{131}d", "\u{212A}aid", "succeeded",
    "rejected",
  ])
  func `a word in no list is unknown, never failed, final or not`(word: String) async throws {
    for final in ["true", "false", nil] {
      #expect(try await status(word, final) == .unknown(word))
    }
  }

  @Test func `an open word that is called final contradicts itself and is unknown`() async throws {
    #expect(try await status("pending", "true") == .unknown("pending"))
  }

  @Test(arguments: ["null", "7", "true", "[]", "{}"])
  func `what is not a text is a malformed answer`(state: String) async throws {
    let error = await failure { try await provider(paymentJSON(state: state)).read(paymentID) }
    #expect(error?.kind == .unknown)
    #expect(error?.detail.contains("state") == true)
  }

  @Test func `an endless word is cut before it is stored`() async throws {
    let word = String(repeating: "Z", count: 65)
    #expect(try await status(word, "true") == .unknown(String(word.dropLast())))
  }

  @Test func `the words are a setting`() async throws {
    let change: (inout FutaSettings) -> Void = {
      $0.states = FutaStates(
        paid: ["settled"], failed: ["declined"], expired: ["lapsed"], cancelled: ["gone"],
        pending: ["open"])
    }
    #expect(try await status("settled", "true", change) == .captured)
    #expect(try await status("declined", "true", change) == .rejected)
    #expect(try await status("lapsed", "true", change) == .expired)
    #expect(try await status("gone", "true", change) == .cancelled)
    #expect(try await status("open", "false", change) == .pending)
    for word in ["paid", "failed", "pending"] {
      #expect(try await status(word, "true", change) == .unknown(word))
    }
  }
}

@Suite("Sums follow from the state")
struct SumTests {
  private func items(
    _ state: String, _ change: (inout FutaSettings) -> Void = { _ in }
  ) async throws -> [PaymentItem] {
    try await provider(paymentJSON(state: #""\#(state)""#, final: "true"), change)
      .read(paymentID).items
  }

  private func item(_ kind: PaymentItem.Kind) throws -> PaymentItem {
    PaymentItem(
      kind: kind, providerItemID: paymentID.rawValue, reference: nil,
      amount: try money("25000.00"), createdAt: nil)
  }

  @Test func `paid is one capture of the whole amount, the same at every read`() async throws {
    #expect(try await items("paid") == [item(.capture)])
    #expect(try await items("PAID") == [item(.capture)])
  }

  @Test func `refunded is the capture and its refund`() async throws {
    #expect(try await items("refunded") == [item(.capture), item(.refund)])
    #expect(try await items("gone-back") { $0.states?.refunded = ["gone-back"] } == [])
    let listed = try await items("gone-back") {
      $0.states = FutaStates(paid: ["paid"], refunded: ["gone-back"])
    }
    #expect(listed == [try item(.capture), try item(.refund)])
  }

  @Test(arguments: ["failed", "expired", "pending", "unheard"])
  func `nothing else moves money`(state: String) async throws {
    #expect(try await items(state).isEmpty)
  }
}
