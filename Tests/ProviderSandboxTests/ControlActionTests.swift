import HTTPExchange
import StrictJSON
import TestSupport
import Testing

@testable import ProviderSandbox

/// What the control API's `pay` and `decline` come to, at each provider as its own page would say.
@Suite("Paid or declined by the control API")
struct ControlActionTests {
  private typealias Control = @Sendable (String, String?) async -> HTTPResponse

  /// A payment of each provider, and its control API.
  private static func stage(_ provider: String) async -> (id: String, control: Control) {
    switch provider {
    case "tabby":
      let harness = SandboxHarness()
      return (await harness.create().paymentID, { await harness.control($0, $1) })
    case "futa":
      let harness = FutaHarness()
      return (await harness.created(), { await harness.control($0, $1) })
    case "rais":
      let harness = RaisHarness()
      return (await harness.created(), { await harness.control($0, $1) })
    case "seb":
      let harness = SEBHarness()
      return (await harness.created(), { await harness.control($0, $1) })
    default:
      let harness = TebexHarness()
      return (await harness.created(), { await harness.control($0, $1) })
    }
  }

  @Test(arguments: [
    ("tabby", "pay", "AUTHORIZED"), ("tabby", "decline", "REJECTED"),
    ("futa", "pay", "paid"), ("futa", "decline", "failed"),
    ("rais", "pay", "paid"), ("rais", "decline", "pending"),
    ("seb", "pay", "CAPTURED"), ("seb", "decline", "INITIALIZED"),
    ("tebex", "pay", "complete"), ("tebex", "decline", "open"),
  ])
  func `a payment ends as its own page would end it`(
    provider: String, deed: String, status: String
  ) async {
    let (id, control) = await Self.stage(provider)
    let answer = await control("payments/\(id)/\(deed)", "")
    #expect(answer.status == 200 && answer.json.status == status)
    let events = answer.json["events"]?.elements?.compactMap { $0["event"]?.text } ?? []
    #expect(events.last == (deed == "pay" ? "paid_by_control" : "declined_by_control"))
    // Whoever was declined may try again, where the provider lets them.
    let isOpen = ["pending", "INITIALIZED", "open"].contains(status)
    let again = await control("payments/\(id)/pay", "")
    #expect(again.status == (isOpen ? 200 : 400))
    if !isOpen { #expect(again.json["error"]?.text?.contains("nothing any more") == true) }
  }

  @Test func `a delay that is asked for holds here too`() async {
    let harness = RaisHarness()
    let id = await harness.created()
    await harness.control("payments/\(id)/faults", #"{"paid_delay_ms":1000}"#)
    await harness.control("payments/\(id)/pay", "")
    #expect(await harness.status(id) == "pending")
    await harness.advance(1_000)
    #expect(await harness.status(id) == "paid")
  }

  @Test func `a basket without packages has no page, so nothing is paid`() async {
    let harness = TebexHarness()
    let answer = await harness.headless(
      "POST", "/accounts/\(TebexHarness.token)/baskets", TebexHarness.request)
    let ident = answer.json.find("data.ident")?.text ?? ""
    #expect(await harness.control("payments/\(ident)/pay", "").status == 400)
  }

  @Test func `nobody's payment is neither paid nor declined`() async {
    let harness = RaisHarness()
    #expect(await harness.control("payments/none/pay", "").status == 404)
  }
}
