import HTTPExchange
import MerchantServer
import PaymentModels
import PaymentStore
import TestSupport
import Testing

@testable import Dashboard

@Suite("Forms of the dashboard")
struct FormTests {
  @Test func `a form from elsewhere, or of another session, does nothing`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.paid()
      let path = "/dashboard/payments/\(row.id)/refund"
      let desk = try await Desk.signedIn(world)
      var other = desk
      other.cookie = nil
      _ = try await other.signIn()
      let good = [
        ("form_token", desk.formToken), ("amount", "1.00"), ("reason", "r"), ("key", "k"),
      ]
      func status(
        _ fields: [(String, String)], origin: String? = nil, headers: HTTPHeaders = [:]
      ) async throws -> Int {
        try await desk.send("POST", path, fields: fields, headers: headers, origin: origin).status
      }
      let home = "http://127.0.0.1:8080"
      #expect(try await status(good) == 403)
      #expect(try await status(good, origin: "https://evil.example") == 403)
      #expect(try await status(good, origin: "null") == 403)
      #expect(try await status(good, origin: home + ".evil.example") == 403)
      #expect(
        try await status(good, origin: home, headers: ["Sec-Fetch-Site": "cross-site"]) == 403)
      #expect(
        try await status(good, origin: home, headers: ["Sec-Fetch-Site": "same-site"]) == 403)
      for token in ["", "x", other.formToken, desk.formToken + "0"] {
        let fields = [("form_token", token)] + good.dropFirst()
        #expect(try await status(fields, origin: home) == 403)
      }
      #expect(try await world.operations(row.id) == [])
      #expect(try await status(good, headers: ["Sec-Fetch-Site": "same-origin"]) == 303)
      #expect(try await world.operations(row.id).count == 1)
    }
  }

  @Test func `behind a proxy the name that the browser asked for counts`() async throws {
    try await ServerWorld.run { world in
      let answer = try await Desk(world).send(
        "POST", "/dashboard/sign-in", fields: [("key", ServerWorld.operatorKey)],
        headers: ["X-Forwarded-Host": "pay.shop.example"], origin: "https://pay.shop.example",
        host: "127.0.0.1:8080")
      #expect(answer.status == 303)
    }
  }

  @Test func `a form has its limit`() async throws {
    try await ServerWorld.run { world in
      let desk = Desk(world)
      func status(_ bytes: Int) async throws -> Int {
        let name = "key="
        let text = String(repeating: "x", count: bytes - name.utf8.count)
        return try await desk.send("POST", "/dashboard/sign-in", fields: [("key", text)]).status
      }
      let (most, more) = (
        try await status(Dashboard.formBytesMax), try await status(Dashboard.formBytesMax + 1)
      )
      #expect(most == 401 && more == 413)
    }
  }

  @Test(arguments: [
    ("DELETE", "/dashboard"), ("POST", "/dashboard/payments"), ("GET", "/dashboard/sign-out"),
  ])
  func `other methods are refused`(method: String, path: String) async throws {
    try await ServerWorld.run { world in
      let answer = try await Desk.signedIn(world).send(method, path)
      #expect(answer.status == 405)
      #expect(answer.headers["Allow"]?.split(separator: ", ").contains(Substring(method)) == false)
    }
  }

  @Test func `every other path is the API's`() async throws {
    try await ServerWorld.run { world in
      let desk = Desk(world)
      for (path, status) in [("/healthz", 200), ("/v1/payments", 401), ("/dashboards", 404)] {
        let answer = try await desk.send("GET", path)
        #expect(answer.status == status)
      }
      let nothing = try await Desk.signedIn(world).send("GET", "/dashboard/nothing")
      #expect(nothing.status == 404)
    }
  }
}
