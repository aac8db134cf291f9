private import Glibc

extension Files {
  /// Keeps others who ask the same way, in this process or another, from a directory for a while.
  /// A process that ends has let go of it.
  ///
  /// - Throws: ``SystemError``; of kind `wouldBlock` if somebody has claimed it.
  public static func claim(_ directory: String) throws(SystemError) -> DirectoryClaim {
    // The path is a copy that lives for the call.
    let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let error = SystemError("flock")
      close(descriptor)
      throw error
    }
    return DirectoryClaim(descriptor: descriptor)
  }

  /// Removes a directory if it is empty.
  public static func removeDirectory(_ path: String) throws(SystemError) {
    // The path is a copy that lives for the call.
    guard unsafe rmdir(path) == 0 else { throw SystemError("rmdir") }
  }
}

/// A directory that nobody else claims meanwhile.
public struct DirectoryClaim {
  let descriptor: Int32

  /// Lets go of it; once, as the last that is done with the claim.
  public func release() { close(descriptor) }
}
