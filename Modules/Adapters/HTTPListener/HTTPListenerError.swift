private import Glibc

/// Why a listener could not be opened.
public enum HTTPListenerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The address is not a numeric IPv4 or IPv6 address: correct the setting.
  case addressInvalid
  /// The machine does not have this address: correct the setting.
  case addressUnavailable
  /// Another program listens on the port: stop it, or take another port.
  case portTaken
  /// This user may not listen on the port (below 1024): take another port.
  case notPermitted
  /// The system refused for another reason, with its error number.
  case system(Int32)

  /// A sentence without data of the settings.
  public var description: String {
    switch self {
    case .addressInvalid: "the listen address is not a numeric IPv4 or IPv6 address"
    case .addressUnavailable: "this machine does not have the listen address"
    case .portTaken: "the listen port is taken by another program"
    case .notPermitted: "this user may not listen on the port"
    case .system(let number): "the system refused to listen (error \(number))"
    }
  }

  init(errorNumber: Int32) {
    self =
      switch errorNumber {
      case EINVAL: .addressInvalid
      case EADDRNOTAVAIL, EAFNOSUPPORT: .addressUnavailable
      case EADDRINUSE: .portTaken
      case EACCES, EPERM: .notPermitted
      default: .system(errorNumber)
      }
  }
}
