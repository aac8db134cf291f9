import ProviderInterface

/// A setting that is missing or wrong: the program does not start. Names the setting and never
/// holds a secret.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// `EX_CONFIG` of sysexits(3).
  public static let exitCode: Int32 = 78

  /// Which setting, as a path into the configuration file or the name of a variable.
  public let setting: String
  /// What is wrong and what to do.
  public let reason: String

  init(_ setting: String, _ reason: String) {
    self.setting = setting
    self.reason = reason
  }

  /// What a provider's module says of the account that stands at `path` of the file.
  init<Name>(_ error: SettingError<Name>, at path: String) {
    self.init("\(path).\(error.setting.rawValue)", error.reason)
  }

  /// Setting and reason on one line.
  public var description: String { "\(setting): \(reason)" }
}
