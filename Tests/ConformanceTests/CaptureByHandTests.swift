@testable import Conformance
import PaymentStore
import StrictJSON
import TestSupport
import Testing

@Suite("A shop whose staff take held money")
struct CaptureByHandTests {
  /// The kit's own adapter, with what it says of Tabby's money or without a word of it.
  private static func adapter(_ capturesByHand: JSONValue?) -> JSONValue {
    ConformanceAdapter.own.editing("providers.tabby") { tabby in
      guard let capturesByHand else { return tabby }
      return .object(
        (tabby.members ?? []) + [JSONMember(name: "captures_by_hand", value: capturesByHand)])
    }
  }

  private static let variables = [
    "TILL_APP_TOKEN", "TILL_OPERATOR_KEY", "TILL_TABBY_SECRET_KEY", "TILL_TABBY_WEBHOOK_SECRET",
    "TILL_FUTA_SECRET_KEY", "TILL_FUTA_WEBHOOK_SECRET", "TILL_RAIS_SECRET_KEY",
    "TILL_RAIS_WEBHOOK_SECRET", "TILL_TEBEX_SECRET_KEY", "TILL_TEBEX_WEBHOOK_SECRET",
    "TILL_SEB_CLIENT_SECRET",
  ].reduce(into: [String: String]()) { $0[$1] = "value of \($1)" }

  @Test(arguments: [(JSONValue.bool(true), true), (.bool(false), false), (nil, false)])
  func `an adapter says whether staff take it`(word: JSONValue?, isByHand: Bool) throws {
    let adapter = try ConformanceAdapter(
      json: Self.adapter(word), variables: Self.variables)
    #expect(adapter.accounts.first { $0.provider == .tabby }?.capturesByHand == isByHand)
  }

  /// The suite stands in for the staff only where the adapter says that there are any.
  @Test(arguments: [true, false])
  func `held money is taken by the suite if the adapter says so`(isByHand: Bool) async throws {
    let card = try await ConformanceWorld.play(
      ConformanceRun.Options(only: ["goods-once"], providers: [.tabby]), capture: .manual,
      adapter: Self.adapter(.bool(isByHand)))
    #expect(card.rows.map(\.result.word) == [isByHand ? "pass" : "FAIL"], "\(card.rows)")
  }
}
