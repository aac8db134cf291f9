public import HTTPExchange
public import KitEnvironment

/// The files that pages load. They are compiled in, and their address holds a hash of them all, so
/// a browser keeps them for good and never mixes two versions.
public struct PageAssets: Sendable {
  /// A file.
  public enum Name: String, CaseIterable, Sendable {
    /// The look.
    case style = "style.css"
    /// What pages do by themselves.
    case script = "page.js"
    /// The sign of the kit.
    case icon = "icon.svg"

    var type: String {
      switch self {
      case .style: "text/css; charset=utf-8"
      case .script: "text/javascript; charset=utf-8"
      case .icon: "image/svg+xml"
      }
    }
  }

  private let folder: String
  private let style: String
  private let hash: String

  /// The files below a path.
  ///
  /// - Parameters:
  ///   - folder: the path, without a slash at its end, such as `/dashboard/assets`.
  ///   - moreStyle: rules that stand behind ``PageStylesheet``.
  public init(folder: String, moreStyle: String = "", hashing: Hashing) {
    self.folder = folder
    style = PageStylesheet.text + moreStyle
    let all = style + pageScript + signOfTheKit
    hash = String(hexText(hashing.sha256(Array(all.utf8))).prefix(12))
  }

  /// The address of a file.
  public func path(_ name: Name) -> String { "\(folder)/\(hash)/\(name.rawValue)" }

  /// A file, by the last two parts of its address; nil if there is none or it is of another
  /// version.
  public func response(_ hash: String, _ name: String) -> HTTPResponse? {
    guard hash == self.hash, let name = Name(rawValue: name) else { return nil }
    return HTTPResponse(
      status: 200,
      headers: [
        "Content-Type": name.type, "Cache-Control": "public, max-age=31536000, immutable",
        "X-Content-Type-Options": "nosniff",
      ], body: Array(text(name).utf8))
  }

  private func text(_ name: Name) -> String {
    switch name {
    case .style: style
    case .script: pageScript
    case .icon: signOfTheKit
    }
  }
}

private let signOfTheKit = """
  <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M4 3v18M12 3v18M20 3v18" \
  stroke="#7a869a" stroke-width="2"/><path d="M4 8h8M20 15h-8" stroke="#3b6cf6" \
  stroke-width="2"/><rect x="9" y="12" width="6" height="6" rx="1.5" fill="#12805c"/></svg>
  """
