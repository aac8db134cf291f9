import HTTPExchange
import MerchantServer
import PaymentModels
import TestSupport
import Testing

@testable import Dashboard

@Suite("Signing in to the dashboard")
struct SignInTests {
  private static let pages = [
    "/dashboard", "/dashboard/payments", "/dashboard/payments/\(Sample.paymentID(1))",
    "/dashboard/payments/\(Sample.paymentID(1))/refund", "/dashboard/reviews",
    "/dashboard/reviews/1", "/dashboard/inbox", "/dashboard/outbox",
    "/dashboard/inbox/\(Sample.uuid(4, 1))", "/dashboard/outbox/\(Sample.messageID(1))",
  ]

  @Test(arguments: pages)
  func `a page asks whoever is nobody to sign in, and comes back`(path: String) async throws {
    try await ServerWorld.run { world in
      _ = try await world.seed([(world.provider, .pending)])
      var desk = Desk(world)
      for cookie in [nil, "till_session=", "till_session=\(String(repeating: "0", count: 64))"] {
        desk.cookie = cookie
        let answer = try await desk.send("GET", path)
        #expect(answer.status == 303)
        let target = answer.headers["Location"] ?? ""
        #expect(target.hasPrefix("/dashboard/sign-in"))
        #expect(answer.body.isEmpty)
      }
      let signedIn = try await desk.signIn(next: path)
      #expect(signedIn.status == 303 && signedIn.headers["Location"] == path)
    }
  }

  @Test(arguments: [
    "", "nobody", ServerWorld.user, ServerWorld.metricsKey, ServerWorld.operatorKey + "x",
    String(repeating: "x", count: 4_000),
  ])
  func `no other key signs in`(key: String) async throws {
    try await ServerWorld.run { world in
      var desk = Desk(world)
      let answer = try await desk.signIn(key)
      #expect(answer.status == 401)
      #expect(answer.headers["Set-Cookie"] == nil)
      let page = String(decoding: answer.body, as: UTF8.self)
      #expect(page.contains("That is no operator key."))
      #expect(key.isEmpty || !page.contains(key))
      #expect(!world.log.text.contains(key) || key.isEmpty)
    }
  }

  @Test(arguments: [
    ("127.0.0.1:8080", false), ("localhost:8080", false), ("[::1]:8080", false),
    ("pay.shop.example", true), ("127.0.0.1.shop.example", true), ("10.0.0.5:8080", true),
  ])
  func `the cookie is for this host and TLS alone, and scripts do not see it`(
    host: String, isSecure: Bool
  ) async throws {
    try await ServerWorld.run { world in
      let answer = try await Desk(world).send(
        "POST", "/dashboard/sign-in", fields: [("key", ServerWorld.operatorKey)],
        origin: "http://\(host)", host: host)
      let cookie = try #require(answer.headers["Set-Cookie"])
      #expect(cookie.contains("; HttpOnly; SameSite=Strict"))
      #expect(cookie.contains("; Path=/; Max-Age=43200"))
      #expect(cookie.contains("Secure") == isSecure)
      // No other host of the shop's domain can set a cookie of that name.
      let name = isSecure ? "__Host-till_session=" : "till_session="
      #expect(cookie.hasPrefix(name))
      let id = cookie.dropFirst(name.count).prefix { $0 != ";" }
      #expect(id.count == 64)
      #expect(!cookie.contains(ServerWorld.operatorKey))
    }
  }

  @Test(arguments: [
    "https://evil.example/dashboard", "//evil.example", "/dashboard/../v1", "/v1/payments",
    "/dashboard\r\nX: y", "/dashboard/sign-out", "javascript:alert(1)", "/dashboard/events",
    "/dashboard/assets/../..", "/dashboard/assets/..\\..\\/v1", "/dashboard/assets/x/style.css",
  ])
  func `a sign-in leads nowhere else`(next: String) async throws {
    try await ServerWorld.run { world in
      var desk = Desk(world)
      let answer = try await desk.signIn(next: next)
      #expect(answer.headers["Location"] == "/dashboard")
    }
  }

  @Test func `ten attempts of one address are let through, and the next is told to wait`()
    async throws
  {
    try await ServerWorld.run { world in
      let desk = Desk(world)
      func attempt(_ peer: String) async -> Int {
        await desk.dashboard.respond(
          to: HTTPRequest(
            method: "POST", target: "/dashboard/sign-in",
            headers: ["Host": "shop.example", "Origin": "https://shop.example"],
            body: Array("key=guess".utf8), peer: peer)
        ).status
      }
      for _ in 0..<10 { #expect(await attempt("203.0.113.7") == 401) }
      #expect(await attempt("203.0.113.7") == 429)
      #expect(await attempt("203.0.113.8") == 401)
      await world.pause(.seconds(10))
      #expect(await attempt("203.0.113.7") == 401)
    }
  }

  @Test func `behind a proxy on the same machine the cookie is for TLS too`() async throws {
    try await ServerWorld.run { world in
      var desk = Desk(world)
      let proxied: HTTPHeaders = ["X-Forwarded-Host": "pay.shop.example"]
      let answer = try await desk.send(
        "POST", "/dashboard/sign-in", fields: [("key", ServerWorld.operatorKey)],
        headers: proxied, origin: "https://pay.shop.example")
      let cookie = try #require(answer.headers["Set-Cookie"])
      #expect(cookie.hasPrefix("__Host-till_session=") && cookie.contains("; Secure"))
      desk.cookie = String(cookie.prefix { $0 != ";" })
      #expect(try await desk.send("GET", "/dashboard", headers: proxied).status == 200)
    }
  }

  // MARK: Sessions

  @Test func `who signs in again leaves no session behind`() async throws {
    try await ServerWorld.run { world in
      var desk = try await Desk.signedIn(world)
      let before = desk
      _ = try await desk.signIn()
      #expect(try await desk.send("GET", "/dashboard").status == 200)
      #expect(try await before.send("GET", "/dashboard").status == 303)
      #expect(await desk.dashboard.sessions.count == 1)
    }
  }

  @Test func `a session ends at rest, at the end of its life, and when it is signed out`()
    async throws
  {
    try await ServerWorld.run { world in
      let desk = try await Desk.signedIn(world)
      world.clock.advance(by: Sessions.idle - .seconds(5))
      #expect(try await desk.send("GET", "/dashboard/outbox").status == 200)
      world.clock.advance(by: Sessions.idle)
      #expect(try await desk.send("GET", "/dashboard/outbox").status == 303)

      let busy = try await Desk.signedIn(world)
      for _ in 0..<11 {
        world.clock.advance(by: .seconds(3_600))
        #expect(try await busy.send("GET", "/dashboard/outbox").status == 200)
      }
      world.clock.advance(by: .seconds(3_600))
      #expect(try await busy.send("GET", "/dashboard/outbox").status == 303)

      let done = try await Desk.signedIn(world)
      let answer = try await done.post("/dashboard/sign-out")
      #expect(answer.status == 303)
      #expect(answer.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
      #expect(try await done.send("GET", "/dashboard").status == 303)
    }
  }

  @Test func `a page that is left open keeps no session alive`() async throws {
    try await ServerWorld.run { world in
      let desk = try await Desk.signedIn(world)
      world.clock.advance(by: Sessions.idle - .seconds(5))
      for target in ["/dashboard/events?after=-1", "/dashboard/payments"] {
        let answer = try await desk.send("GET", target, headers: ["Dashboard-Live": "1"])
        #expect(answer.status == 200)
      }
      world.clock.advance(by: .seconds(5))
      #expect(try await desk.send("GET", "/dashboard/payments").status == 303)
      #expect(try await desk.send("GET", "/dashboard/events?after=-1").status == 401)
    }
  }

  @Test func `a key that is taken back ends its sessions`() async throws {
    try await ServerWorld.run { world in
      let taken = CallCount()
      var desk = Desk(world, keys: Keys(taken: taken))
      _ = try await desk.signIn()
      #expect(try await desk.send("GET", "/dashboard").status == 200)
      taken.add()
      #expect(try await desk.send("GET", "/dashboard").status == 303)
    }
  }

  @Test func `beyond the limit the session that rested longest ends`() async throws {
    try await ServerWorld.run { world in
      let desk = try await Desk.signedIn(world)
      let sessions = desk.dashboard.sessions
      func open() async -> Secret {
        world.clock.advance(by: .milliseconds(1))
        return await sessions.open(OperatorName("ben"), Secret(ServerWorld.secondOperatorKey))
      }
      let rested = await open()
      let used = await open()
      for _ in 3..<Sessions.sessionsMax { _ = await open() }
      world.clock.advance(by: .milliseconds(1))
      #expect(await sessions.session(used) != nil)
      #expect(try await desk.send("GET", "/dashboard").status == 200)
      #expect(await sessions.count == Sessions.sessionsMax)
      _ = await open()
      #expect(await sessions.count == Sessions.sessionsMax)
      #expect(await sessions.session(rested) == nil)
      #expect(await sessions.session(used) != nil)
      #expect(try await desk.send("GET", "/dashboard").status == 200)
    }
  }
}
