/// The little of Markdown that the rules need.
enum Markdown {
  /// The lines outside fenced code.
  static func prose(_ file: SourceFile) -> [(line: Int, text: String)] {
    var fenced = false
    return file.lines.enumerated().compactMap { index, text in
      if text.drop(while: { $0 == " " }).hasPrefix("```") {
        fenced.toggle()
        return nil
      }
      return fenced ? nil : (index + 1, text)
    }
  }

  /// The targets of links and images, code spans left out.
  static func links(_ text: String) -> [String] {
    text.replacing(#/`[^`]*`/#, with: "").matches(of: #/\]\(([^)\s]+)\)/#).map { String($0.1) }
  }

  /// Whether a relative link leads to a file or folder of the tree.
  static func exists(_ target: String, from file: SourceFile, in project: Project) -> Bool {
    guard !isForeign(target), let path = path(of: target, from: file) else {
      return isForeign(target)
    }
    return path.isEmpty || project.paths.contains(path)
  }

  /// Whether what stands behind `#` is a heading of the page; a link without it needs none.
  static func hasAnchor(_ target: String, from file: SourceFile, in project: Project) -> Bool {
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !isForeign(target), let path = path(of: target, from: file),
      path.hasSuffix(".md"), let page = path == file.path ? file : project.file(path)
    else { return true }
    return anchors(page).contains(String(parts[1]))
  }

  /// What a link to each heading of a page ends with, as GitHub and pandoc make it: lower case,
  /// hyphens for spaces, nothing but letters, digits, hyphens and underscores, and a number behind
  /// one that is there already.
  static func anchors(_ file: SourceFile) -> Set<String> {
    var found: Set<String> = []
    for (_, text) in prose(file) {
      guard let heading = text.wholeMatch(of: #/#{1,6} +(.*?)(?: +#+)? */#)?.1 else { continue }
      let words = heading.replacing(#/\]\([^)]*\)/#, with: "]").lowercased()
      let anchor = String(
        words.compactMap { character -> Character? in
          if character == " " { return "-" }
          let isKept = character.isLetter || character.isNumber || "-_".contains(character)
          return isKept ? character : nil
        })
      var unique = anchor
      var number = 0
      while !found.insert(unique).inserted {
        number += 1
        unique = "\(anchor)-\(number)"
      }
    }
    return found
  }

  private static func isForeign(_ target: String) -> Bool {
    target.contains("://") || target.hasPrefix("mailto:")
  }

  /// Where in the tree a link leads; empty for the tree itself, nil beyond it.
  private static func path(of target: String, from file: SourceFile) -> String? {
    let path = target.prefix { $0 != "#" }
    if path.isEmpty { return file.path }
    var parts = file.path.split(separator: "/").dropLast().map(String.init)
    for part in path.split(separator: "/") {
      switch part {
      case ".": continue
      case "..":
        guard parts.popLast() != nil else { return nil }
      default: parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }
}
