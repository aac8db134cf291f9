import HTTPExchange
import KitEnvironment

/// The files that pages load. They are compiled in, and their address holds a hash of them all, so
/// a browser keeps them for good and never mixes two versions.
struct Assets: Sendable {
  enum Name: String, CaseIterable {
    case style = "style.css"
    case script = "dashboard.js"
    case icon = "icon.svg"

    var type: String {
      switch self {
      case .style: "text/css; charset=utf-8"
      case .script: "text/javascript; charset=utf-8"
      case .icon: "image/svg+xml"
      }
    }

    var text: String {
      switch self {
      case .style: Stylesheet.text
      case .script: dashboardScript
      case .icon: signOfTheKit
      }
    }
  }

  private let hash: String

  init(hashing: Hashing) {
    let all = Name.allCases.map(\.text).joined()
    hash = String(hexText(hashing.sha256(Array(all.utf8))).prefix(12))
  }

  /// The address of a file.
  func path(_ name: Name) -> String { DashboardRoute.asset(hash, name.rawValue).path }

  func response(_ hash: String, _ name: String) throws(PageRefusal) -> HTTPResponse {
    guard hash == self.hash, let name = Name(rawValue: name) else { throw .notFound }
    return HTTPResponse(
      status: 200,
      headers: [
        "Content-Type": name.type, "Cache-Control": "public, max-age=31536000, immutable",
      ], body: Array(name.text.utf8))
  }
}

private let signOfTheKit = """
  <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M4 3v18M12 3v18M20 3v18" \
  stroke="#7a869a" stroke-width="2"/><path d="M4 8h8M20 15h-8" stroke="#3b6cf6" \
  stroke-width="2"/><rect x="9" y="12" width="6" height="6" rx="1.5" fill="#12805c"/></svg>
  """
