/// An option, a flag or a positional argument of a command, declared as data.
public struct Parameter: Sendable {
  /// What a value must be. It is checked before the command sees it.
  public enum Kind: Sendable {
    /// No value: the flag is there or not.
    case flag
    /// Any text.
    case text
    /// A whole number of the range.
    case integer(ClosedRange<Int>)
    /// One of these words.
    case choice([String])
    /// A text that the closure accepts; `expected` completes "…is not", such as `a payment id`.
    case checked(expected: String, @Sendable (String) -> Bool)
  }

  /// How often it may stand in a command line.
  public enum Count: Sendable {
    /// Exactly once.
    case required
    /// Once or not at all.
    case optional
    /// Any number of times; for a positional, all that are left over.
    case repeated
  }

  /// The name by which ``Arguments`` finds it; an option is written `--name`.
  public let name: String
  /// What stands for the value in help texts: `SECONDS`. Empty for a flag.
  public let placeholder: String
  /// One sentence for help texts, without a full stop.
  public let summary: String
  /// What a value must be.
  public let kind: Kind
  /// How often it may stand.
  public let count: Count
  /// The value if none is given, shown in help texts.
  public let defaultText: String?

  let isPositional: Bool

  /// `--name`, which is there or not.
  public static func flag(_ name: String, _ summary: String) -> Parameter {
    Parameter(
      name: name, placeholder: "", summary: summary, kind: .flag, count: .optional,
      defaultText: nil, isPositional: false)
  }

  /// `--name VALUE` or `--name=VALUE`.
  public static func option(
    _ name: String, _ placeholder: String, _ summary: String, kind: Kind = .text,
    count: Count = .optional, default defaultText: String? = nil
  ) -> Parameter {
    Parameter(
      name: name, placeholder: placeholder, summary: summary, kind: kind, count: count,
      defaultText: defaultText, isPositional: false)
  }

  /// A value that is known by its place. Help texts show the name in upper case.
  public static func positional(
    _ name: String, _ summary: String, kind: Kind = .text, count: Count = .required
  ) -> Parameter {
    Parameter(
      name: name, placeholder: name.uppercased(), summary: summary, kind: kind, count: count,
      defaultText: nil, isPositional: true)
  }

  var isFlag: Bool {
    if case .flag = kind { true } else { false }
  }

  /// Why `value` is refused, nil if it is not.
  func fault(of value: String) -> String? {
    switch kind {
    case .flag, .text: nil
    case .integer(let range):
      Int(value).map(range.contains) == true
        ? nil : "is not a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .choice(let words):
      words.contains(value) ? nil : "is none of \(words.joined(separator: ", "))"
    case .checked(let expected, let accepts): accepts(value) ? nil : "is not \(expected)"
    }
  }
}
