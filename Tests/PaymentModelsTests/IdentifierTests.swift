import PaymentModels
import Testing

@Suite("Identifiers and secrets")
struct IdentifierTests {
  @Test func `the canonical form of a UUID is accepted`() {
    #expect(isCanonicalUUID("01976f3a-7c1b-7def-8abc-0123456789ab"))
    #expect(isCanonicalUUID("00000000-0000-0000-0000-000000000000"))
  }

  @Test(
    arguments: [
      "", "../../../../../../../../../../../..", "/../", "01976f3a-7c1b-7def-8abc-01234567/../",
      "01976F3A-7C1B-7DEF-8ABC-0123456789AB", "01976f3a-7c1b-7def-8abc-0123456789a",
      "01976f3a-7c1b-7def-8abc-0123456789abc", "01976f3a7c1b7def8abc0123456789ab----",
      "{1976f3a-7c1b-7def-8abc-0123456789a}", "01976f3a-7c1b-7def-8abc-0123456789ag",
      "01976f3a_7c1b_7def_8abc_0123456789ab", "01976f3a-7c1b-7def-8abc-0123456789%2",
      " 1976f3a-7c1b-7def-8abc-0123456789ab", "01976f3a-7c1b-7def-8abc-0123456789a\n",
      "01976f3a-7c1b-7def-8abc-0123456789a\0", "01976f3a-7c1b-7def-8abc-0123456789é",
      "٠1976f3a-7c1b-7def-8abc-0123456789a", "0-976f3a-7c1b-7def-8abc-0123456789ab",
    ])
  func `every other text is refused`(text: String) {
    #expect(!isCanonicalUUID(text))
  }

  @Test func `ids of one kind sort by their text`() {
    #expect(PaymentID("01976f3a-0") < PaymentID("01976f3b-0"))
    #expect(!(PaymentID("b") < PaymentID("a")) && !(PaymentID("a") < PaymentID("a")))
    #expect("\(OrderID("ord-1001"))" == "ord-1001")
    #expect(OrderID(rawValue: "x") == OrderID("x"))
  }

  @Test func `a secret is shown by nothing but reveal`() {
    struct Account { let name: String, key: Secret }
    let secret = Secret("sk_test_4711")
    let account = Account(name: "main", key: secret)
    var dumped = ""
    dump(account, to: &dumped)
    dump(secret, to: &dumped)
    let texts = [
      "\(secret)", String(describing: secret), String(reflecting: secret), secret.description,
      secret.debugDescription, "\(Optional(secret) as Any)", "\([secret])", "\(["k": secret])",
      "\(account)", String(reflecting: account), dumped,
      Mirror(reflecting: secret).children.map { "\($0)" }.joined(), "\(Mirror(reflecting: secret))",
    ]
    for text in texts { #expect(!text.contains("4711"), "\(text)") }
    #expect("\(secret)" == "‹redacted›" && dumped.contains("‹redacted›"))
    #expect(secret.reveal() == "sk_test_4711")
    #expect(secret == Secret("sk_test_4711") && secret != Secret("other"))
  }

  @Test(arguments: [("", true), (" \t\n", true), ("x", false), (" x ", false)])
  func `a secret of white space is blank`(text: String, isBlank: Bool) {
    #expect(Secret(text).isBlank == isBlank)
  }
}
