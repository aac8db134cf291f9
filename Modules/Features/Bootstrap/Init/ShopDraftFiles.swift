import SystemRuntime

/// Writes the files of a new shop into a directory: all of them, or none.
struct ShopDraftFiles {
  let directory: String
  let replaces: Bool

  /// Why nothing was written.
  struct Failure: Error, CustomStringConvertible {
    var path: String
    var reason: String
    var description: String { "\(path): \(reason)" }
  }

  private static let publicMode: UInt32 = 0o644
  private static let secretMode: UInt32 = 0o600

  func write(_ files: [ShopDraft.File]) throws(Failure) {
    if !replaces, let file = files.first(where: { Files.exists(path($0)) }) {
      throw Failure(path: path(file), reason: "is there already; --force replaces it")
    }
    let isNew = !Files.exists(directory)
    try attempt(directory) { () throws(SystemError) in try Files.makeDirectory(directory) }
    do throws(Failure) {
      try fill(files)
    } catch {
      if isNew { try? Files.removeTree(directory) }
      throw error
    }
  }

  /// Writes the files aside first: what can fail fails there, where nothing is lost.
  private func fill(_ files: [ShopDraft.File]) throws(Failure) {
    var aside = ""
    try attempt(directory) { () throws(SystemError) in
      aside = try Files.makeTemporaryDirectory(prefix: ".till-init", in: directory)
    }
    defer { try? Files.removeTree(aside) }
    for file in files {
      try attempt(path(file)) { () throws(SystemError) in
        try Files.replace(
          "\(aside)/\(file.name)", with: Array(file.text.utf8),
          mode: file.isSecret ? Self.secretMode : Self.publicMode)
      }
    }
    var done: [(path: String, wasThere: Bool)] = []
    do throws(Failure) {
      for file in files {
        let target = path(file)
        let wasThere = replaces && Files.exists(target)
        try attempt(target) { () throws(SystemError) in
          if wasThere { try Files.move(target, to: Self.kept(target), replaces: true) }
        }
        do throws(Failure) {
          try attempt(target) { () throws(SystemError) in
            try Files.move("\(aside)/\(file.name)", to: target, replaces: false)
          }
        } catch {
          if wasThere { putBack(target) }
          throw error
        }
        done.append((target, wasThere))
      }
    } catch {
      for (path, wasThere) in done {
        if wasThere { putBack(path) } else { try? Files.removeTree(path) }
      }
      throw error
    }
  }

  private static func kept(_ path: String) -> String { "\(path).replaced" }

  /// What cannot be put back is still there under its other name.
  private func putBack(_ path: String) {
    try? Files.move(Self.kept(path), to: path, replaces: true)
  }

  private func path(_ file: ShopDraft.File) -> String { "\(directory)/\(file.name)" }

  private func attempt(
    _ path: String, _ work: () throws(SystemError) -> Void
  ) throws(Failure) {
    do {
      try work()
    } catch {
      throw Failure(path: path, reason: "\(error)")
    }
  }
}
