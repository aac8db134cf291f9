import HTTPExchange
import KitEnvironment
import MerchantCommands
import MerchantServer
import PaymentModels
import StrictJSON
import TestSupport
import Testing

@testable import Bootstrap

@Suite("Tokens of apps")
struct TokenRotationTests {
  private static let old = Secret("old-token-of-a-payer")
  private static let new = Secret("new-token-of-a-payer")
  private static let user = Caller.user(Subject("u1"))
  private static let end = Instant(milliseconds: 1_800_000_000_000)

  private func authenticator(_ tokens: [(Secret, end: String?)]) throws -> FileAuthenticator {
    let rows = tokens.map { token, end -> JSONValue in
      var members = [
        JSONMember(name: "subject", value: "u1"),
        JSONMember(name: "token_sha256", value: .string(FileAuthenticator.hash(token))),
      ]
      if let end { members.append(JSONMember(name: "expires_at", value: .string(end))) }
      return .object(members)
    }
    return try FileAuthenticator(
      json: .object(["tokens": .array(rows)]), operatorKeys: [])
  }

  @Test func `a token that is taken back opens nothing, and its file holds no token`() throws {
    let now = Self.end
    let before = try authenticator([(Self.old, nil)])
    #expect(before.caller(of: Self.old, at: now) == Self.user)
    // While both are in use, both open the same door.
    let between = try authenticator([(Self.old, nil), (Self.new, nil)])
    #expect(between.caller(of: Self.old, at: now) == Self.user)
    #expect(between.caller(of: Self.new, at: now) == Self.user)
    let after = try authenticator([(Self.new, nil)])
    #expect(after.caller(of: Self.old, at: now) == nil)
    #expect(!after.hasExpired(Self.old, at: now))
    #expect(after.caller(of: Secret(FileAuthenticator.hash(Self.new)), at: now) == nil)
    // What is kept in memory is the hash as well.
    var dumped = ""
    dump(between, to: &dumped)
    for token in [Self.old, Self.new] { #expect(!dumped.contains(token.reveal())) }
  }

  @Test func `a token is good until its end, and one that is handed out beside it goes on`()
    async throws
  {
    let both = try authenticator([
      (Self.old, "\(Self.end)"), (Self.new, "\(Self.end + .seconds(3_600))"),
    ])
    for (now, old, new) in [
      (Self.end - .milliseconds(1), true, true), (Self.end, false, true),
      (Self.end + .seconds(3_600), false, false),
    ] {
      #expect(both.caller(of: Self.old, at: now) == (old ? Self.user : nil))
      #expect(both.hasExpired(Self.old, at: now) == !old)
      #expect(both.caller(of: Self.new, at: now) == (new ? Self.user : nil))
      #expect(!both.hasExpired(Secret("never"), at: now))
    }
    let clock = ManualClock()
    let timed = TimedAuthenticator(
      file: try authenticator([(Self.old, "\(clock.now + .seconds(1))")]), clock: clock.clock)
    #expect(await timed.caller(of: Self.old) == Self.user)
    clock.advance(by: .seconds(1))
    #expect(await timed.caller(of: Self.old) == nil)
    #expect(await timed.hasExpired(Self.old))
  }

  @Test(arguments: ["", "tomorrow", "2027-31-01", "1800000000"])
  func `an end that cannot be read is refused`(end: String) {
    let error = #expect(throws: ConfigurationError.self) {
      try authenticator([(Self.old, end)])
    }
    #expect(error?.setting.hasSuffix("expires_at") == true)
  }

  @Test func `the doctor warns before tokens run out, and names none`() async throws {
    let clock = ManualClock()
    for (ends, status, fact) in [
      ([nil, clock.now + .seconds(14 * 86_400 + 1)], DoctorCheck.Standing.ok, "0 run out"),
      ([nil, clock.now + .seconds(14 * 86_400)], .warn, "1 run out within 14 days"),
      ([clock.now, nil], .warn, "1 have run out"),
    ] {
      let rows = ends.enumerated().map { index, end in
        let hash = FileAuthenticator.hash(Secret("token-\(index)"))
        let member = end.map { ",\"expires_at\":\"\($0)\"" } ?? ""
        return "{\"subject\":\"u1\",\"token_sha256\":\"\(hash)\"\(member)}"
      }
      try await withTemporaryDirectory { directory in
        var files = ShopFiles()
        files.tokens = "{\"tokens\":[\(rows.joined(separator: ","))]}"
        let doctor = Doctor(
          configuration: try files.configuration(in: directory),
          transport: ClosureTransport { _ in HTTPResponse(status: 503) },
          environment: .test(clock), asksProviders: false)
        let check = try #require(await doctor.checks().first { $0.name == "app tokens" })
        #expect(check.standing == status)
        #expect(check.fact.contains(fact), "\(check.fact)")
        #expect(!check.fact.contains("u1"))
      }
    }
  }
}
