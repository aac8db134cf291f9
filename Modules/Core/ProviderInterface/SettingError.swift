/// A setting of an account that is missing or wrong. Nobody retries it; a person mends it.
public struct SettingError<Name>: Error, Hashable, Sendable, CustomStringConvertible
where Name: RawRepresentable<String> & Hashable & Sendable {
  /// The settings of one provider's accounts; raw values are the words of a configuration file.
  public typealias Setting = Name

  /// Which setting.
  public let setting: Setting
  /// What is wrong with it; never its value.
  public let reason: String

  /// Names a setting and what is wrong with it, without its value.
  public init(_ setting: Setting, _ reason: String) {
    self.setting = setting
    self.reason = reason
  }

  /// Setting and reason.
  public var description: String { "\(setting.rawValue) \(reason)" }
}
