private import CTillSockets
private import Glibc

/// Small files: read whole, replaced whole, and directories for a while. Blocking calls.
public enum Files {
  /// Reads a whole file.
  ///
  /// - Throws: ``SystemError``; of kind `tooLarge` if there are more than `bytesMax` bytes.
  public static func read(_ path: String, bytesMax: Int) throws(SystemError) -> [UInt8] {
    // The path is a copy that lives for the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open") }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      // Writes into block only, which outlives the call.
      let count = unsafe Glibc.read(descriptor, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("read") }
      if count == 0 { return content }
      guard content.count + count <= bytesMax else { throw SystemError("read", code: EFBIG) }
      content += block[..<count]
    }
  }

  /// Puts `bytes` into the file at `path` so that after a crash or a power cut the old content or
  /// the new one stands there, whole; and when this returns, the new one.
  ///
  /// - Parameter mode: permissions of the file, `0o600` (this user alone) unless told.
  public static func replace(
    _ path: String, with bytes: [UInt8], mode: UInt32 = 0o600
  ) throws(SystemError) {
    var template = Array("\(path).XXXXXX".utf8CString)
    // Fills in the X of the local array; the file is made for this user alone.
    let descriptor = unsafe mkostemp(&template, O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("mkostemp") }
    let temporary = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var isOpen = true
    do throws(SystemError) {
      try writeAll(bytes, to: descriptor)
      guard fchmod(descriptor, mode) == 0 else { throw SystemError("fchmod") }
      guard fsync(descriptor) == 0 else { throw SystemError("fsync") }
      isOpen = false
      guard close(descriptor) == 0 else { throw SystemError("close") }
      guard unsafe rename(temporary, path) == 0 else { throw SystemError("rename") }
    } catch {
      if isOpen { close(descriptor) }
      // The path is a copy that lives for the call.
      unsafe unlink(temporary)
      throw error
    }
    try syncDirectory(directory(of: path))
  }

  /// Whether there is a file or directory at `path`, links followed.
  public static func exists(_ path: String) -> Bool {
    // The path is a copy that lives for the call.
    unsafe access(path, F_OK) == 0
  }

  /// Whether users other than the owner may read or write the file, as nobody should a file
  /// with keys in it.
  public static func isOpenToOthers(_ path: String) throws(SystemError) -> Bool {
    var facts = stat()
    // Fills the local variable.
    guard unsafe stat(path, &facts) == 0 else { throw SystemError("stat") }
    return facts.st_mode & 0o066 != 0
  }

  /// Makes a new empty directory, for this user alone, in the system's place for such.
  ///
  /// - Parameter prefix: the start of its name.
  public static func makeTemporaryDirectory(
    prefix: String = "till", in parent: String = "/tmp"
  ) throws(SystemError) -> String {
    var template = Array("\(parent)/\(prefix).XXXXXX".utf8CString)
    // Fills in the X of the local array.
    guard unsafe mkdtemp(&template) != nil else { throw SystemError("mkdtemp") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Makes a directory if there is none; its parent must be there.
  public static func makeDirectory(_ path: String, mode: UInt32 = 0o700) throws(SystemError) {
    // The path is a copy that lives for the call.
    guard unsafe mkdir(path, mode) == 0 || errno == EEXIST else { throw SystemError("mkdir") }
  }

  /// Removes a file or a directory with all that is in it. Links are removed, not followed. What
  /// is gone already is no error: a database that closes meanwhile takes its own side files away.
  public static func removeTree(_ path: String) throws(SystemError) {
    try removeEntry(path, at: AT_FDCWD)
  }
}

func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
  var rest = bytes[...]
  while !rest.isEmpty { rest = rest.dropFirst(try writeSome(rest, to: descriptor)) }
}

/// Writes as much as the system takes at once, and gives how much that was.
func writeSome(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemError) -> Int {
  while true {
    // Reads from the array only, which outlives the call.
    let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    if count < 0 && errno == EINTR { continue }
    guard count > 0 else { throw SystemError("write") }
    return count
  }
}

func directory(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Makes a rename in the directory survive a power cut.
func syncDirectory(_ path: String) throws(SystemError) {
  // The path is a copy that lives for the call.
  let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard descriptor >= 0 else { throw SystemError("open") }
  defer { close(descriptor) }
  guard fsync(descriptor) == 0 else { throw SystemError("fsync") }
}

private func removeEntry(_ name: String, at parent: Int32) throws(SystemError) {
  // Here and below the name is a copy that lives for the call.
  if unsafe unlinkat(parent, name, 0) == 0 || errno == ENOENT { return }
  guard errno == EISDIR || errno == EPERM else { throw SystemError("unlink") }
  let descriptor = unsafe openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
  guard descriptor >= 0 else {
    if errno == ENOENT { return }
    throw SystemError("open")
  }
  // fdopendir takes the descriptor over; closedir closes it.
  guard let stream = unsafe fdopendir(descriptor) else {
    let error = SystemError("opendir")
    close(descriptor)
    throw error
  }
  defer { unsafe closedir(stream) }
  // An entry is valid up to the next readdir: its name is copied at once.
  while let entry = unsafe readdir(stream) {
    let child = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if child != "." && child != ".." { try removeEntry(child, at: descriptor) }
  }
  guard unsafe unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
    throw SystemError("rmdir")
  }
}
