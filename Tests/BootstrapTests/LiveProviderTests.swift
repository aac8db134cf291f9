import HTTPExchange
import MerchantCommands
import PaymentModels
import StrictJSON
import SystemRuntime
import TestSupport
import Testing

@testable import Bootstrap

/// One answer of the checklist, and a world in which it comes.
private struct LiveCase: Sendable, CustomTestStringConvertible {
  let line: String
  let answer: LiveCheck.Answer
  let world: @Sendable () -> LiveWorld
  var testDescription: String { "\(line) \(answer.rawValue)" }

  init(
    _ line: String, _ answer: LiveCheck.Answer,
    _ world: @escaping @Sendable () -> LiveWorld = { LiveWorld() }
  ) {
    (self.line, self.answer, self.world) = (line, answer, world)
  }

  /// A registration at Tabby, over whatever its key and merchant code are.
  static func registered(
    at url: String, value: String? = nil, code: String = "AE"
  ) -> LiveWorld {
    var world = LiveWorld()
    world.prepare = { transport, shop, _ in
      let value = value ?? shop.webhookSecret.reveal()
      let body = """
        {"url":"\(url)","header":{"title":"\(DemoShop.webhookHeader)","value":"\(value)"}}
        """
      let answer = try await transport.send(
        HTTPOutgoing(
          method: "POST", url: "\(LiveWorld.sandboxURL)/api/v1/webhooks",
          headers: [
            "Authorization": "Bearer \(shop.tabbyKey.reveal())", "X-Merchant-Code": code,
          ], body: Array(body.utf8)))
      #expect(answer.status == 200)
    }
    return world
  }

  static func variable(_ name: String, _ value: String) -> LiveWorld {
    var world = LiveWorld()
    world.variables = [name: value]
    return world
  }

  static func edited(_ part: String, _ other: String) -> LiveWorld {
    var world = LiveWorld()
    world.edits = [(part, other)]
    return world
  }

  static func priced(_ part: String, _ other: String) -> LiveWorld {
    var world = LiveWorld()
    world.prices = [(part, other)]
    return world
  }

  /// Where calls to a part of the sandbox get this answer.
  static func answering(_ part: String, _ status: Int, _ body: String = "") -> LiveWorld {
    var world = LiveWorld()
    world.providerAnswer = { request in
      request.url.contains(part) ? HTTPResponse(status: status, body: Array(body.utf8)) : nil
    }
    return world
  }

  private static let ours = "\(LiveWorld.publicURL)/webhooks/tabby"

  static let tabby: [LiveCase] = [
    LiveCase("tabby demo: key", .yes),
    LiveCase("tabby demo: key", .no) { variable("TILL_TABBY_SECRET_KEY", "sk_test_other") },
    LiveCase("tabby demo: key", .no) { answering("/api/v1/webhooks", 403, "<html>") },
    LiveCase("tabby demo: key", .cannotTell) { answering("/api/v1/webhooks", 502) },
    LiveCase("tabby demo: mode", .no),
    LiveCase("tabby demo: currency", .yes),
    LiveCase("tabby demo: currency", .no) { priced("\"AED\"", "\"EUR\"") },
    LiveCase("tabby demo: webhook", .no),
    LiveCase("tabby demo: webhook", .yes) { registered(at: ours) },
    LiveCase("tabby demo: webhook", .no) { registered(at: ours, code: "SA") },
    LiveCase("tabby demo: webhook", .no) { registered(at: ours, value: "other") },
    LiveCase("tabby demo: webhook", .no) {
      registered(at: "https://old.shop.example/webhooks/tabby")
    },
    LiveCase("tabby demo: webhook", .cannotTell) { answering("/api/v1/webhooks", 502) },
    LiveCase("tabby demo: approval", .youSay),
  ]

  static let others: [LiveCase] = [
    LiveCase("futa demo: key", .yes), LiveCase("rais demo: key", .yes),
    LiveCase("seb demo: key", .yes), LiveCase("tebex demo: key", .yes),
    LiveCase("futa demo: key", .no) { variable("TILL_FUTA_SECRET_KEY", "futa_other") },
    LiveCase("rais demo: key", .no) { variable("TILL_RAIS_SECRET_KEY", "rais_sk_test_other") },
    LiveCase("seb demo: key", .no) { variable("TILL_SEB_CLIENT_SECRET", "other") },
    LiveCase("tebex demo: key", .no) { edited("t66x-0", "t66x-1") },
    LiveCase("futa demo: key", .cannotTell) { answering("/futa/", 404, "<html>") },
    LiveCase("rais demo: key", .cannotTell) { answering("/rais/", 503) },
    LiveCase("seb demo: key", .cannotTell) { answering("/seb/", 500) },
    LiveCase("tebex demo: key", .cannotTell) { answering("/headless/", 500) },
    LiveCase("tebex demo: key", .no) {
      answering("/headless/api/accounts/", 200, #"{"data":{"currency":"USD","disabled":true}}"#)
    },
    LiveCase("futa demo: mode", .no), LiveCase("futa demo: unit", .youSay),
    LiveCase("futa demo: webhook", .yes), LiveCase("futa demo: scheme", .cannotTell),
    LiveCase("futa demo: scheme", .yes) {
      edited("\"app_return_url\"", "\"webhook_scheme_confirmed\":true,\"app_return_url\"")
    },
    LiveCase("rais demo: webhook", .no) {
      edited(
        ",\"webhook\":{\"secrets\":[{\"env\":\"TILL_RAIS_WEBHOOK_SECRET\"}]}", "")
    },
    LiveCase("tebex demo: currency", .yes),
    LiveCase("tebex demo: currency", .no) {
      edited("\"public_token\"", "\"currency\":\"EUR\",\"public_token\"")
    },
    LiveCase("tebex demo: packages", .yes),
    LiveCase("tebex demo: packages", .no) { priced("\"5.35\"", "\"5.36\"") },
    LiveCase("tebex demo: packages", .no) { priced("\"62763", "\"92763") },
    LiveCase("tebex demo: packages", .cannotTell) { answering("/packages", 500) },
    LiveCase("tebex demo: refunds", .yes),
    LiveCase("tebex demo: refunds", .no) { variable("TILL_TEBEX_SECRET_KEY", "other") },
    LiveCase("tebex demo: refunds", .cannotTell) { answering("/checkout/", 500) },
    LiveCase("tebex demo: validated", .cannotTell),
    LiveCase("seb demo: refund", .cannotTell), LiveCase("futa demo: refund", .youSay),
  ]
}

@Suite("till doctor --live, of each provider against its sandbox")
struct LiveProviderTests {
  @Test(arguments: LiveCase.tabby + LiveCase.others)
  fileprivate func `each line says what is so`(_ live: LiveCase) async throws {
    let found = try await live.world().found()
    let check = try #require(found[live.line])
    #expect(check.answer == live.answer, "\(check.fact)")
    if check.answer == .no { #expect(check.advice != nil) }
  }

  @Test func `every call is a read`() async throws {
    let sent = Locked<[String]>([])
    var world = LiveWorld()
    world.providerAnswer = { request in
      sent.withLock { $0.append("\(request.method) \(request.url)") }
      return nil
    }
    _ = try await world.checks()
    let others = sent.withLock { $0 }.filter { !$0.hasPrefix("GET ") }
    #expect(others == ["POST \(LiveWorld.sandboxURL)/seb/auth/token"])
    #expect(sent.withLock { $0.count } > 8)
  }

  @Test func `nothing that it prints is a secret`() async throws {
    let secrets = [
      "sk_test_5up3r", "futa_5up3r", "rais_sk_test_5up3r", "tebex_5up3r", "seb_5up3r",
      "op_5up3r-0123456789abcdef", "whk_5up3r-0123456789abcdef",
    ]
    let names = [
      "TILL_TABBY_SECRET_KEY", "TILL_FUTA_SECRET_KEY", "TILL_RAIS_SECRET_KEY",
      "TILL_TEBEX_SECRET_KEY", "TILL_SEB_CLIENT_SECRET", "TILL_OPERATOR_KEY",
      "TILL_TABBY_WEBHOOK_SECRET",
    ]
    var world = LiveWorld()
    world.variables = Dictionary(uniqueKeysWithValues: zip(names, secrets))
    world.providerAnswer = { request in
      // A provider that repeats what it was sent.
      HTTPResponse(status: 400, body: Array("no: \(request.headers.fields)".utf8))
    }
    let report = LiveReport(try await world.checks())
    let text =
      report.text(usesColor: false) + String(decoding: report.json.serialized(), as: UTF8.self)
    for secret in secrets { #expect(!text.contains(secret)) }
  }
}
