public import PaymentModels

/// Inputs of faults seen in the field that several suites play, each with what is right. What a
/// suite tries beyond them stands in the suite.
public enum FieldBugRows {
  /// FB-09's amounts with the exponent of the provider, nil for that of ISO 4217, and their minor
  /// units; nil where they have none and are refused.
  public static let minorUnits: [(text: String, code: String, exponent: Int?, units: Int64?)] = [
    ("500", "JPY", nil, 500), ("5", "UGX", 2, 500), ("5", "UGX", nil, 5),
    ("35.200", "BHD", nil, 35_200), ("18.600", "KWD", nil, 18_600), ("1.234", "KWD", nil, 1_234),
    ("1.234", "KWD", 2, nil), ("10.00", "AED", nil, 1_000), ("10.5", "JPY", nil, nil),
    ("1.2345", "KWD", nil, nil), ("1.001", "USD", nil, nil),
  ]

  /// FB-10's texts that are no amount.
  public static let refusedAmounts = [
    "1e3", "0x10", "١٠٫٥٠", "10,50", " 10.50", "NaN", "-1.00", "+1.00", "01.00",
  ]

  /// FB-16's values of a status as they stand in JSON, nil for none, and what they mean; a nil
  /// status is a malformed answer.
  public static let statuses: [(json: String?, status: PaymentStatus?)] = [
    (#""AUTHORIZED""#, .authorized), (#""authorized""#, .authorized),
    (#""Authorized""#, .authorized), (#""canceled""#, .cancelled), (#""cancelled""#, .cancelled),
    (#""retry_scheduled""#, .unknown("retry_scheduled")), (#""""#, .unknown("")), ("null", nil),
    ("7", nil), (nil, nil), (#""authorized ""#, .unknown("authorized ")),
  ]

  /// FB-17's first list: what is seen where `https://shop.example.com/pay/done` is registered.
  public static let returnSpellings = [
    "https://shop.example.com/pay/done", "https://shop.example.com/pay/done/",
    "https://shop.example.com/pay/done?x=1#y", "https://shop.example.com/pay/done/thanks",
    "https://SHOP.example.com:443/pay/done", "https://shop.example.com/pay/%64one",
  ]

  /// FB-17's second list: what is none of it.
  public static let returnLookAlikes = [
    "https://shop.example.com/pay/done-not-really", "https://shop.example.com/pay/doneX",
    "https://shop.example.com/PAY/DONE", "https://shop.example.com/pay",
    "http://shop.example.com/pay/done", "https://shop.example.com:8443/pay/done",
    "https://shop.example.com.evil.example/pay/done",
    "https://shop.example.com@evil.example/pay/done",
    "https://evil.example/?u=https://shop.example.com/pay/done",
    #"https://shop.example.com\@evil.example/pay/done"#,
    "https://shop.example.com/pay/done/../../admin", "https://shop.example.com/pay/done%2f..%2fx",
    " https://shop.example.com/pay/done", "\u{1}https://shop.example.com/pay/done",
  ]

  /// FB-17's third list: what is seen where `MyApp://Pay/Result` is registered.
  public static let returnSchemes: [(seen: String, matches: Bool)] = [
    ("myapp://pay/Result?payment_id=pay_A1", true), ("myapp://pay/result", false),
    ("myapp:/pay/Result", false), ("myappx://pay/Result", false),
  ]

  /// FB-18's addresses of apps, of a page's main frame.
  public static let appAddresses = [
    "upi://pay?pa=x", "bankapp://auth?t=1", "tel:", "mailto:", "market://", "itms-apps://",
  ]

  /// FB-18's addresses that never load.
  public static let forbiddenAddresses = [
    "file:///etc/hosts", "content://x/y", "javascript:alert(1)", "data:text/html,x", "blob:x",
  ]

  /// FB-22's peers with the lines of `X-Forwarded-For`, behind proxies of `10.0.0.0/8` and with
  /// `198.51.100.0/28` on the list. The last input, two lines, is told by both orders of them.
  public static let senders: [(peer: String, forwarded: [String], isAllowed: Bool)] = [
    ("198.51.100.5", [], true), ("10.1.2.3", ["198.51.100.5"], true),
    ("203.0.113.9", ["198.51.100.5"], false),
    ("10.1.2.3", ["198.51.100.5, 203.0.113.9"], false),
    ("10.1.2.3", ["198.51.100.5, 10.9.9.9"], true), ("::ffff:198.51.100.5", [], true),
    ("10.1.2.3", ["198.51.100.5:443"], true), ("10.1.2.3", ["garbage"], false),
    ("10.1.2.3", ["203.0.113.9", "198.51.100.5"], true),
    ("10.1.2.3", ["198.51.100.5", "203.0.113.9"], false),
  ]

  /// FB-24's numbers as somebody in a country writes them, and the number that is meant; nil where
  /// that is not certain. No country is `--`.
  public static let phones: [(country: String, text: String, meant: String?)] = [
    ("IT", "388 000 0000", "+393880000000"), ("AE", "0500000001", "+971500000001"),
    ("AE", "500000001", "+971500000001"), ("AE", "+971 (0)50-000-0001", "+971500000001"),
    ("AE", "00971500000001", "+971500000001"), ("SA", "٠٥٠٠٠٠٠٠٠١", "+966500000001"),
    ("CD", "081 000 0000", "+243810000000"), ("--", "0500000001", nil), ("AE", "12", nil),
    ("AE", "+0500000001", nil), ("AE", "", nil), ("AE", "0500000001 ext 5", nil),
    ("AE", "\u{202A}050\u{200E} 000 0001\u{202C}", "+971500000001"),
  ]
}
