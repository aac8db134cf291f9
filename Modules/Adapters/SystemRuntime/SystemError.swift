private import Glibc

/// A system call that failed, grouped by what the caller may do.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the caller may conclude.
  public enum Kind: Hashable, Sendable {
    /// No such file or program.
    case notFound
    /// It is there, but this user may not use it.
    case notPermitted
    /// Something has that name already.
    case exists
    /// The content is longer than the given limit.
    case tooLarge
    /// The other side takes no more at present: try later.
    case wouldBlock
    /// Everything else: disk full, too many open files, a file where a directory should be.
    case other
  }

  /// What the caller may conclude.
  public let kind: Kind
  /// The call that failed, such as `open`; a constant text.
  public let operation: String
  /// The `errno` of the call, 0 if it is a limit of ours.
  public let code: Int32

  /// Sorts the `errno` of a call.
  init(_ operation: String, code: Int32 = errno) {
    self.operation = operation
    self.code = code
    switch code {
    case ENOENT, ENOTDIR, ESRCH: kind = .notFound
    case EACCES, EPERM, EROFS: kind = .notPermitted
    case EEXIST: kind = .exists
    case EFBIG: kind = .tooLarge
    case EAGAIN: kind = .wouldBlock
    default: kind = .other
    }
  }

  /// The call and the system's text for the error.
  public var description: String {
    // strerror of glibc 2.32 and newer returns a constant or a buffer of this thread.
    guard let text = unsafe strerror(code) else { return "\(operation): error \(code)" }
    return unsafe "\(operation): \(String(cString: text))"
  }
}
