import HTTPExchange
import StrictJSON
import TestSupport
import Testing

@testable import ProviderSandbox

@Suite("Control pages")
struct ControlPageTests {
  private let attack = "\"'><script>alert(1)</script><img src=x>\u{202E}"

  @Test func `the root leads to the overview, and hosted pages stay where they are`() async {
    let desk = ControlDesk()
    #expect(await desk.get("/").location == "/sandbox")
    #expect(await desk.get("/?sessionId=s").status == 0)
    #expect(await desk.get("/sandbox/ledger").status == 0)
    #expect(await desk.get("/sandbox/settings").status == 0)
    let page = await desk.get("/sandbox")
    #expect(page.status == 200)
    #expect(page.text.contains("No payment was made yet"))
    #expect(page.headers["X-Frame-Options"] == "DENY")
  }

  @Test func `payments of all are listed newest first, in pages, and by provider`() async throws {
    let desk = ControlDesk()
    var ids: [String] = []
    for number in 0..<ControlPages.pageSize {
      ids.append(await desk.tabby.create(Checkout(reference: "r-\(number)")).paymentID)
      desk.tabby.clock.advance(by: .seconds(1))
    }
    let first = await desk.get("/sandbox").text
    #expect(ids.allSatisfy { first.contains("data-key=\"\($0)\"") })
    #expect(!first.contains(">Older<"))
    desk.rais.clock.advance(by: .seconds(100))
    let newest = await desk.rais.created()
    let page = await desk.get("/sandbox").text
    let order = try [newest, ids[24], ids[1]].map {
      try #require(page.firstRange(of: "key=\"\($0)"))
    }
    #expect(order.map(\.lowerBound) == order.map(\.lowerBound).sorted())
    #expect(!page.contains("key=\"\(ids[0])"))
    #expect(page.contains("before=\(ids[1])\">Older</a>"))
    let older = await desk.get("/sandbox?before=\(ids[1])").text
    #expect(older.contains("key=\"\(ids[0])") && !older.contains("key=\"\(ids[1])"))
    #expect(older.contains(">Newest<") && !older.contains(">Older<"))
    let one = await desk.get("/sandbox?provider=rais").text
    #expect(one.contains("key=\"\(newest)") && !one.contains("key=\"\(ids[24])"))
    #expect(await desk.get("/sandbox?before=nobody&provider=nobody").status == 200)
  }

  @Test func `one click pays, and the same click again says that it is too late`() async {
    let desk = ControlDesk()
    let id = await desk.tabby.create().paymentID
    let answer = await desk.post("payments/\(id)/pay", [("from", "list")])
    #expect(answer.status == 303 && answer.location == "/sandbox?done=pay")
    #expect(await desk.tabby.payment(id).status == "AUTHORIZED")
    #expect(await desk.get("/sandbox?done=pay").text.contains("role=\"status\">Paid"))
    let again = await desk.post("payments/\(id)/decline")
    #expect(again.status == 400)
    #expect(again.text.contains("role=\"alert\"") && again.text.contains("takes nothing any more"))
    #expect(await desk.tabby.payment(id).status == "AUTHORIZED")
  }

  @Test func `the clock moves all sandboxes, and refuses what is no time`() async {
    let desk = ControlDesk()
    let id = await desk.tabby.create().paymentID
    let answer = await desk.post("clock", [("amount", "1"), ("unit", "hours")])
    #expect(answer.location == "/sandbox?done=clock")
    #expect(await desk.tabby.payment(id).status == "EXPIRED")
    for amount in ["", "-1", "x", "99999999999999999", "367"] {
      let refused = await desk.post("clock", [("amount", amount), ("unit", "days")])
      #expect(refused.status == 400 && refused.text.contains("advance_ms is a whole number"))
    }
    #expect(await desk.rais.control("clock").json["offset_ms"]?.int64 == 3_600_000)
  }

  @Test func `faults of one payment are set, shown, kept when refused, and taken back`() async {
    let desk = ControlDesk()
    let id = await desk.tabby.create().paymentID
    let form = [
      ("authorize_delay_ms", "5000"), ("webhook_copies", "2"), ("drop_webhooks", "on"),
      ("webhook_delays_ms", "5000, 0"), ("read_amount", "1.00"), ("kind-0", "lost"),
      ("call-0", "read"), ("times-0", "3"), ("delay-0", "0"), ("kind-1", ""),
    ]
    let path = "payments/\(id)/faults"
    #expect(await desk.post(path, form).status == 303)
    let faults = await desk.tabby.entry(id)["faults"]
    #expect(faults?["webhook_copies"]?.int64 == 2)
    #expect(faults?["drop_webhooks"]?.boolean == true)
    #expect(faults?["webhook_delays_ms"]?.elements?.compactMap(\.int64) == [5000, 0])
    #expect(faults?["read_currency"]?.isNull == true)
    #expect(faults?["answers"]?.elements?.count == 1)
    #expect(faults?["answers"]?[0]?["times"]?.int64 == 3)
    let page = await desk.get("/sandbox/control/payments/\(id)").text
    #expect(page.contains("name=\"webhook_delays_ms\"") && page.contains("value=\"5000, 0\""))
    #expect(page.contains("<option selected>lost</option>") && page.contains("id=\"kind-1\""))
    #expect(await desk.get("/sandbox").text.contains("drop webhooks"))

    let wrong = form.map { $0.0 == "webhook_copies" ? ("webhook_copies", "many") : $0 }
    let refused = await desk.post(path, wrong)
    #expect(refused.status == 400 && refused.text.contains("bad value for webhook_copies"))
    #expect(refused.text.contains("value=\"many\" aria-invalid=\"true\""))
    #expect(await desk.tabby.entry(id)["faults"]?["webhook_copies"]?.int64 == 2)

    #expect(await desk.post("payments/\(id)/no-faults").status == 303)
    #expect(await desk.tabby.entry(id)["faults"]?.isNull == true)
  }

  @Test func `faults of all payments and settings are those of their provider`() async {
    let desk = ControlDesk()
    let faults = [
      ("paid_delay_ms", "0"), ("webhook_copies", "3"), ("webhook_delay_ms", "0"),
    ]
    #expect(await desk.post("providers/rais/faults", faults).status == 303)
    let rais = await desk.rais.control("settings").json
    #expect(rais["faults"]?["webhook_copies"]?.int64 == 3)
    let page = await desk.get("/sandbox/control/providers/rais").text
    #expect(page.contains("value=\"3\"") && !page.contains("name=\"faults\""))
    let settings = [
      ("session_life_ms", "60000"), ("expiry_delay_ms", "1000"),
      ("prescore_rejected_status", "REJECTED"), ("rejection_reason_place", "top_level"),
      ("reused_reference", "refuse"), ("excess_decimals", "round"),
      ("webhook_retry_ms", "1, 2 3"), ("webhook_list", "object"), ("refund_window_days", "45"),
    ]
    #expect(await desk.post("providers/tabby/settings", settings).status == 303)
    let tabby = await desk.tabby.control("settings").json
    #expect(tabby["session_life_ms"]?.int64 == 60_000)
    #expect(tabby["strip_zeros"]?.boolean == false, "a box without its tick")
    #expect(tabby["webhook_retry_ms"]?.elements?.count == 3)
    let wrong = await desk.post(
      "providers/tabby/settings", settings.filter { $0.0 != "refund_window_days" })
    #expect(wrong.status == 400 && wrong.text.contains("bad value for refund_window_days"))
  }

  @Test func `a secret is written, kept by an empty field, and never shown`() async {
    let desk = ControlDesk()
    func set(_ secret: String) async -> HTTPResponse {
      await desk.post(
        "providers/rais/settings",
        [
          ("exponent", "0"), ("life_ms", "3600000"), ("conflict_status", "409"),
          ("webhook_secret", secret), ("webhook_scheme", "body"), ("webhook_age_ms", "0"),
        ])
    }
    #expect(await set("hidden-word").status == 303)
    #expect(await set("").status == 303)
    #expect(await desk.rais.control("settings").json["webhook_secret"]?.text == "set")
    let page = await desk.get("/sandbox/control/providers/rais").text
    #expect(!page.contains("hidden-word") && page.contains("placeholder=\"set; hidden\""))
    let refused = await set("two words")
    #expect(refused.status == 400 && !refused.text.contains("two words"))
  }

  @Test func `a status is set by hand, and no other word is`() async {
    let desk = ControlDesk()
    let id = await desk.tabby.create().paymentID
    #expect(await desk.post("payments/\(id)/status", [("status", "REJECTED")]).status == 303)
    #expect(await desk.tabby.payment(id).status == "REJECTED")
    #expect(await desk.post("payments/\(id)/status", [("status", attack)]).status == 400)
  }

  @Test func `a webhook is seen, and sent again at once, whatever its faults say`() async throws {
    let desk = ControlDesk()
    _ = await desk.tabby.register()
    let id = await desk.tabby.create().paymentID
    await desk.post("payments/\(id)/pay")
    #expect(await desk.deliver() == ["authorized"])
    await desk.tabby.control("payments/\(id)/faults", #"{"drop_webhooks":true}"#)
    let page = await desk.get("/sandbox/control/payments/\(id)").text
    #expect(page.contains(">delivered</span>") && page.contains("&quot;status&quot;"))
    let number = try #require(await desk.tabby.entry(id)["webhooks"]?[0]?["number"]?.int64)
    let path = "payments/\(id)/resend"
    #expect(await desk.post(path, [("number", "\(number)")]).status == 303)
    #expect(await desk.deliver() == ["authorized"])
    for other in ["0", "99", "x", ""] {
      #expect(await desk.post(path, [("number", other)]).status == 400)
    }
    #expect(await desk.deliver() == [])
  }

  @Test func `a webhook that waits for its repeat goes out now`() async throws {
    let desk = ControlDesk()
    _ = await desk.tabby.register()
    let id = await desk.tabby.create().paymentID
    await desk.post("payments/\(id)/pay")
    #expect(await desk.deliver(500) == ["authorized"])
    #expect(await desk.deliver(500) == [])
    #expect(await desk.get("/sandbox/control/payments/\(id)").text.contains("Send now"))
    let number = try #require(await desk.tabby.entry(id)["webhooks"]?[0]?["number"]?.int64)
    await desk.post("payments/\(id)/resend", [("number", "\(number)")])
    #expect(await desk.deliver() == ["authorized"])
    let webhooks = await desk.tabby.entry(id)["webhooks"]?.elements
    #expect(webhooks?.count == 1 && webhooks?.first?["attempts"]?.elements?.count == 2)
  }

  @Test func `no text of anybody becomes markup`() async {
    let desk = ControlDesk()
    var checkout = Checkout(name: attack, reference: attack)
    checkout.email = "a@b.test"
    let id = await desk.tabby.create(checkout).paymentID
    _ = await desk.tabby.register()
    await desk.post("payments/\(id)/pay")
    await desk.tabby.control(
      "payments/\(id)/faults", #"{"read_amount":"\"'><script>","read_currency":"<img src=x>"}"#)
    let wish = QueryText.encode(attack)
    for target in [
      "/sandbox", "/sandbox/control/payments/\(id)", "/sandbox?provider=\(wish)&before=\(wish)",
      "/sandbox/control/payments/\(wish)", "/sandbox/control/providers/\(wish)",
      "/sandbox?done=\(wish)", "/sandbox/control/payments/\(id)?done=\(wish)",
    ] {
      let text = await desk.get(target).text
      #expect(text.contains("<title>"), "\(target)")
      for tag in ["<script>", "<img", "\u{202E}"] { #expect(!text.contains(tag), "\(target)") }
    }
    let page = await desk.get("/sandbox/control/payments/\(id)").text
    #expect(page.contains("&quot;&#39;&gt;&lt;script&gt;"))
    for fields in [[("webhook_copies", attack)], [("read_amount", attack), ("kind-0", attack)]] {
      let refused = await desk.post("payments/\(id)/faults", fields)
      #expect(refused.status == 400 && !refused.text.contains("<script>"))
    }
  }

  @Test(arguments: ["cross-site", "same-site", "none"])
  func `a form of another site does nothing`(site: String) async {
    let desk = ControlDesk()
    let id = await desk.tabby.create().paymentID
    #expect(await desk.post("payments/\(id)/pay", site: site).status == 403)
    #expect(await desk.tabby.payment(id).status == "CREATED")
  }

  @Test func `what is not there is not found, and methods are kept apart`() async {
    let desk = ControlDesk()
    for target in ["payments/none", "providers/none", "assets/a/style.css"] {
      #expect(await desk.get("/sandbox/control/\(target)").status == 404, "\(target)")
    }
    #expect(await desk.get("/sandbox/control/clock").status == 405)
    #expect(await desk.post("payments/none/pay").status == 404)
    #expect(await desk.post("providers/none/faults").status == 404)
    let long = String(repeating: "a", count: SandboxLimits.bodyBytesMax)
    #expect(await desk.post("clock", [("amount", long)]).status == 413)
    let page = await desk.get("/sandbox").text
    for path in page.components(between: "/sandbox/control/assets/", "\"") {
      #expect(await desk.get("/sandbox/control/assets/\(path)").status == 200)
    }
  }
}
