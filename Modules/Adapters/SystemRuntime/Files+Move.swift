private import Glibc

extension Files {
  /// Gives a file another name in the same file system; after a power cut it has one of the two.
  ///
  /// - Parameter replaces: whether a file that has that name already is replaced.
  /// - Throws: ``SystemError``; of kind `exists` if there is one that may not be replaced.
  public static func move(
    _ path: String, to target: String, replaces: Bool
  ) throws(SystemError) {
    // Both paths are copies that live for the calls.
    if replaces {
      guard unsafe rename(path, target) == 0 else { throw SystemError("rename") }
      try syncDirectory(directory(of: target))
    } else {
      // A second name is refused where one is taken, which rename does not do.
      try addName(target, to: path)
      guard unsafe unlink(path) == 0 else { throw SystemError("unlink") }
    }
  }

  /// Gives a file a second name in the same file system.
  ///
  /// - Throws: ``SystemError``; of kind `exists` if the name is taken.
  public static func addName(_ name: String, to path: String) throws(SystemError) {
    // Both paths are copies that live for the call.
    guard unsafe link(path, name) == 0 else { throw SystemError("link") }
    do {
      try syncDirectory(directory(of: name))
    } catch {
      // Who hears of a failure takes the name for free. The name is a copy that lives for the call.
      unsafe unlink(name)
      throw error
    }
  }

  /// Bytes of a file.
  public static func size(_ path: String) throws(SystemError) -> Int64 {
    var facts = stat()
    // Fills the local variable.
    guard unsafe stat(path, &facts) == 0 else { throw SystemError("stat") }
    return Int64(facts.st_size)
  }

  /// Bytes that this user may still write on the file system that holds `path`, and all it has.
  public static func room(at path: String) throws(SystemError) -> (free: Int64, all: Int64) {
    var facts = statvfs()
    // Fills the local variable.
    guard unsafe statvfs(path, &facts) == 0 else { throw SystemError("statvfs") }
    let block = Int64(clamping: facts.f_frsize)
    return (block * Int64(clamping: facts.f_bavail), block * Int64(clamping: facts.f_blocks))
  }
}
