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

  /// How many files of a name are kept at most: with more, nobody knows any more which is which.
  static let keptMax = 100

  /// Gives the names under which files that were there are kept.
  func write(_ files: [ShopDraft.File]) throws(Failure) -> [String] {
    let isNew = !Files.exists(directory)
    try attempt(directory) { () throws(SystemError) in try Files.makeDirectory(directory) }
    return try claimed(files, isNew: isNew)
  }

  /// One at a time: of two that write at once, each would undo or replace files of the other.
  private func claimed(_ files: [ShopDraft.File], isNew: Bool) throws(Failure) -> [String] {
    let claim: DirectoryClaim
    do {
      claim = try Files.claim(directory)
    } catch {
      throw Failure(
        path: directory,
        reason: error.kind == .wouldBlock
          ? "another program writes there at this moment" : "\(error)")
    }
    defer { claim.release() }
    if !replaces, let file = files.first(where: { Files.exists(path($0)) }) {
      throw Self.taken(path(file))
    }
    do throws(Failure) {
      return try fill(files)
    } catch {
      // Only while it is empty: what others have put there is theirs.
      if isNew { try? Files.removeDirectory(directory) }
      throw error
    }
  }

  private static func taken(_ path: String) -> Failure {
    Failure(path: path, reason: "is there already; --force replaces it")
  }

  /// Writes the files aside first: what can fail fails there, where nothing is lost.
  private func fill(_ files: [ShopDraft.File]) throws(Failure) -> [String] {
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
    var done: [(path: String, kept: String?)] = []
    do throws(Failure) {
      for file in files { done.append((path(file), try place(file, from: aside))) }
    } catch {
      for (path, kept) in done { undo(path, kept) }
      throw error
    }
    return done.compactMap { $0.kept?.split(separator: "/").last.map(String.init) }
  }

  /// Gives a file its place, and what was there a second name first: whenever this ends, by a kill
  /// too, one of the two has the place, and the old one is there. Gives that second name.
  private func place(_ file: ShopDraft.File, from aside: String) throws(Failure) -> String? {
    let target = path(file)
    let kept = replaces ? try keep(target) : nil
    do throws(SystemError) {
      if kept == nil {
        try Files.addName(target, to: "\(aside)/\(file.name)")
      } else {
        try Files.move("\(aside)/\(file.name)", to: target, replaces: true)
      }
    } catch {
      // It may have its place already, and only be in doubt for the next power cut.
      if kept != nil { undo(target, kept) }
      throw error.kind == .exists ? Self.taken(target) : Failure(path: target, reason: "\(error)")
    }
    return kept
  }

  /// Gives what is there a second name that nothing has; nil if nothing is there.
  private func keep(_ target: String) throws(Failure) -> String? {
    for number in 1...Self.keptMax {
      let name = "\(target).replaced" + (number == 1 ? "" : "-\(number)")
      do throws(SystemError) {
        try Files.addName(name, to: target)
        return name
      } catch {
        switch error.kind {
        case .exists: continue
        case .notFound: return nil
        case .notPermitted, .tooLarge, .wouldBlock, .other:
          throw Failure(path: target, reason: "\(error)")
        }
      }
    }
    throw Failure(path: target, reason: "is kept \(Self.keptMax) times already; remove some")
  }

  /// What cannot be put back is still there under its other name.
  private func undo(_ path: String, _ kept: String?) {
    guard let kept else {
      try? Files.removeTree(path)
      return
    }
    guard (try? Files.move(kept, to: path, replaces: true)) != nil else { return }
    // Two names of one file are left by a move of one to the other.
    try? Files.removeTree(kept)
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
