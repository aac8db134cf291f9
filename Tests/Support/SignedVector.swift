/// FB-06's delivery, with signatures that were made elsewhere: HMAC-SHA256 over the stamp, a point
/// and the body.
public enum SignedVector {
  /// 181 bytes, with an accent, escapes and a line feed at the end.
  public static let body = Array(
    (#"{"id":"evt_001","type":"payment.paid","payment":{"id":"pay_A1","amount":"10.00","#
      + #""currency":"AED"},"items":[{"title":"Café \u2764","qty":1.0,"#
      + #""url":"https:\/\/shop.example\/p\/1"}]}"# + "\n").utf8)
  /// When it was signed.
  public static let stamp: Int64 = 1_790_000_000
  /// Its signature under `whsec_demo_A`.
  public static let underA = "9dd57069901cb1a8de0f3a9dbea4b76ff5fe4e9f835752e3aaf18249b5297d14"
  /// Its signature under `whsec_demo_B`.
  public static let underB = "dfb2aa326978aa4ae47502f208d090d38171139d681829bd59b2d89e6d74e1ad"
  /// Under `whsec_demo_A`, over the body without its line feed, written again, and written again
  /// with 1.0 as 1: none of them is the body's.
  public static let overOtherBytes = [
    "4fadaa673b18a92cfd547b22af10de5b4e29dff2b56b2f79a564bb08d5a96f7b",
    "a69d27bc42897b3e0e96757cdaaca3950f62e820a37d8fde6ff7a18a762b1ac5",
    "b0079020e505e2523c19de9d95ca8bd6ef1837a9548e58393659782b05f5216f",
  ]
  /// FB-06's bodies that are no text: with a byte order mark, and of bytes that are no UTF-8.
  public static let bodiesThatAreNoText = [
    [0xEF, 0xBB, 0xBF] + body, [0x7B, 0xC3, 0x28, 0xFF, 0x7D],
  ]

  /// FB-07's stamps, as seconds from now.
  public static let offsets: [(seconds: Int64, isAccepted: Bool)] = [
    (0, true), (1, true), (299, true), (300, true), (301, false), (3_600, false), (-1, true),
    (-299, true), (-300, true), (-301, false), (-3_600, false),
  ]
  /// FB-07's stamps that are no whole seconds, the first of them milliseconds; nil is no stamp.
  public static let stampsThatAreNone: [String?] = [
    "1790000000000", "", "abc", "1790000000.5", "-1", nil,
  ]

  /// A header of FB-08, and which of `A` and `B` it was signed with; nil if with neither.
  public struct SignedHeader: Sendable, CustomStringConvertible {
    /// What it is.
    public let description: String
    /// Its lines.
    public let lines: [String]
    /// Whose signature is among them.
    public let signer: String?
  }

  private static let zeros = String(repeating: "0", count: 64)

  /// FB-08's headers.
  public static let headers = [
    SignedHeader(
      description: "another signature first", lines: ["t=\(stamp),v1=\(zeros),v1=\(underA)"],
      signer: "A"),
    SignedHeader(
      description: "another scheme behind", lines: ["t=\(stamp),v1=\(underA),v0=other"],
      signer: "A"),
    SignedHeader(
      description: "a space behind the comma", lines: ["t=\(stamp), v1=\(underA)"], signer: "A"),
    SignedHeader(
      description: "two header lines", lines: ["t=\(stamp),v1=\(zeros)", "v1=\(underA)"],
      signer: "A"),
    SignedHeader(
      description: "1,000 signatures",
      lines: [
        "t=\(stamp)," + Array(repeating: "v1=\(underA)", count: 1_000).joined(separator: ",")
      ], signer: nil),
    SignedHeader(description: "an empty signature", lines: ["t=\(stamp),v1="], signer: nil),
    SignedHeader(
      description: "the other secret", lines: ["t=\(stamp),v1=\(underB)"], signer: "B"),
  ]
  /// FB-08's lists of secrets.
  public static let secretLists = [["A"], ["B"], ["A", "B"]]
}
