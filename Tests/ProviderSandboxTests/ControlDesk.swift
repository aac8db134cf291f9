import HTTPExchange
import KitEnvironment
import TestSupport

@testable import ProviderSandbox

/// Somebody at the control pages of two fake providers, Tabby at the root and Raïs beside it.
struct ControlDesk {
  let tabby: SandboxHarness
  let rais = RaisHarness(prefix: "/rais")
  let pages: ControlPages

  init(_ settings: TabbySandboxSettings = TabbySandboxSettings()) {
    tabby = SandboxHarness(settings)
    pages = ControlPages(
      api: ProviderSandboxes(root: tabby.sandbox, others: [("rais", rais.sandbox)]),
      sandboxes: [tabby.sandbox.ledger, rais.sandbox.ledger], environment: .test(tabby.clock))
  }

  func get(_ target: String) async -> HTTPResponse {
    await send(HTTPRequest(method: "GET", target: target))
  }

  /// Sends a form as a browser does that is at one of the pages.
  @discardableResult
  func post(
    _ target: String, _ fields: [(String, String)] = [], site: String = "same-origin"
  ) async -> HTTPResponse {
    let body = fields.map { "\(QueryText.encode($0.0))=\(QueryText.encode($0.1))" }
    return await send(
      HTTPRequest(
        method: "POST", target: "/sandbox/control/\(target)",
        headers: ["Host": "sandbox.test", "Sec-Fetch-Site": site],
        body: Array(body.joined(separator: "&").utf8)))
  }

  private func send(_ request: HTTPRequest) async -> HTTPResponse {
    await pages.respond(to: request) ?? HTTPResponse(status: 0)
  }

  /// Sends what is due, each answered alike, and says what it was about.
  func deliver(_ answer: Int = 200) async -> [String] {
    let due = await tabby.sandbox.ledger.nextStep().due
    for delivery in due { await tabby.sandbox.ledger.finish(delivery, status: answer) }
    return due.map(\.status)
  }
}
