import MerchantServer
import PaymentModels
import StrictJSON
import Testing

@testable import Bootstrap

@Suite("Tokens of apps")
struct TokenRotationTests {
  private static let old = Secret("old-token-of-a-payer")
  private static let new = Secret("new-token-of-a-payer")

  private func authenticator(_ tokens: [Secret]) throws -> FileAuthenticator {
    let rows = tokens.map { token -> JSONValue in
      .object(["subject": "u1", "token_sha256": .string(FileAuthenticator.hash(token))])
    }
    return try FileAuthenticator(
      json: .object(["tokens": .array(rows)]), operatorKeys: [])
  }

  @Test func `a token that is taken back opens nothing, and its file holds no token`() async throws
  {
    let before = try authenticator([Self.old])
    #expect(await before.caller(of: Self.old) == .user(Subject("u1")))
    // While both are in use, both open the same door.
    let between = try authenticator([Self.old, Self.new])
    #expect(await between.caller(of: Self.old) == .user(Subject("u1")))
    #expect(await between.caller(of: Self.new) == .user(Subject("u1")))
    let after = try authenticator([Self.new])
    #expect(await after.caller(of: Self.old) == nil)
    #expect(await after.caller(of: Secret(FileAuthenticator.hash(Self.new))) == nil)
    // What is kept in memory is the hash as well.
    var dumped = ""
    dump(between, to: &dumped)
    for token in [Self.old, Self.new] { #expect(!dumped.contains(token.reveal())) }
  }
}
