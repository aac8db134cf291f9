import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON
import WebPages

/// The control of the sandboxes for people, at `/sandbox`: clock, faults, payments and webhooks.
///
/// It is a face of the control API: it reads what the sandboxes know, and each form becomes a call
/// of that API. Like the API it asks nobody who they are.
struct ControlPages: Sendable {
  /// The control API of all sandboxes.
  let api: any HTTPHandler
  let sandboxes: [any SandboxLedger]
  let environment: KitEnvironment
  let assets: PageAssets

  /// Payments on one page of the list.
  static let pageSize = 25
  /// How often a page that somebody sees asks again, in milliseconds: soon enough to watch a
  /// webhook leave.
  static let pollMs = 2_000

  init(api: any HTTPHandler, sandboxes: [any SandboxLedger], environment: KitEnvironment) {
    self.api = api
    self.sandboxes = sandboxes
    self.environment = environment
    assets = PageAssets(
      folder: "\(ControlRoute.folder)/assets", moreStyle: ControlStyle.text,
      hashing: environment.hashing)
  }

  /// The answer to a request for a page; nil if the path is none's.
  func respond(to request: HTTPRequest) async -> HTTPResponse? {
    // Without a session this is nobody's hosted page.
    if request.target == "/", request.method == "GET" { return .seeOther(ControlRoute.root) }
    guard let route = ControlRoute(path: request.path) else { return nil }
    guard (request.method == "HEAD" ? "GET" : request.method) == route.method else {
      return refusal(405, "Not with this method", "This takes \(route.method).")
    }
    guard request.body.count <= SandboxLimits.bodyBytesMax else {
      return refusal(413, "Too long", "The form is over \(SandboxLimits.bodyBytesMax) bytes.")
    }
    if route.method == "POST", !request.isFromOwnPage {
      return refusal(403, "Sent from elsewhere", "The form did not come from a page of this.")
    }
    switch route {
    case .overview: return await overview(request, problem: nil)
    case .payment(let id): return await payment(id, done: request.parameter("done"))
    case .provider(let name): return await provider(name, done: request.parameter("done"))
    case .asset(let hash, let name): return assets.response(hash, name) ?? missing
    case .clock: return await moveClock(request)
    case .paymentAction(let id, let deed): return await act(deed, on: id, request)
    case .providerAction(let name, let deed): return await act(deed, on: name, request)
    }
  }

  // MARK: Forms

  private func moveClock(_ request: HTTPRequest) async -> HTTPResponse {
    let unit = ClockUnit(rawValue: request.form("unit") ?? "") ?? .minutes
    // What is no number, or too large a one, the API refuses in its own words.
    let (advance, overflow) = (Int64(request.form("amount") ?? "") ?? -1)
      .multipliedReportingOverflow(by: unit.milliseconds)
    let problem = await call(
      "POST", "clock", .object(["advance_ms": .integer(overflow ? -1 : advance)]))
    guard let problem else { return .seeOther("\(ControlRoute.root)?done=clock") }
    return await overview(request, problem: problem)
  }

  private func act(
    _ deed: ControlRoute.PaymentDeed, on id: String, _ request: HTTPRequest
  ) async -> HTTPResponse {
    guard let sheet = await sheet(of: id) else { return missing }
    let path = "payments/\(QueryText.encode(id))"
    var patch: JSONValue?
    let problem: ControlProblem?
    switch deed {
    case .pay, .decline: problem = await call("POST", "\(path)/\(deed.rawValue)")
    case .status:
      let status = request.form("status") ?? ""
      problem = await call("POST", "\(path)/status", .object(["status": .string(status)]))
    case .noFaults: problem = await call("DELETE", "\(path)/faults")
    case .faults:
      let body = ControlForm.patch(sheet.faults, request.fields)
      patch = body
      problem = await call("POST", "\(path)/faults", body)
    case .resend:
      let number = QueryText.encode(request.form("number") ?? "")
      problem = await call("POST", "\(path)/webhooks/\(number)/resend")
    }
    let isOfList = request.form("from") == "list"
    guard let problem else {
      let back = isOfList ? ControlRoute.overview : .payment(id)
      return .seeOther(QueryText.append("done", deed.rawValue, to: back.path))
    }
    return isOfList
      ? await overview(request, problem: problem)
      : await payment(id, done: nil, problem: problem, patch: patch)
  }

  private func act(
    _ deed: ControlRoute.ProviderDeed, on name: String, _ request: HTTPRequest
  ) async -> HTTPResponse {
    guard let sheet = await providerSheet(name) else { return missing }
    // The settings of the sandbox at the root have no name in the path.
    let path = sandboxes.first?.name == name ? "settings" : "settings/\(QueryText.encode(name))"
    let patch: JSONValue
    switch deed {
    case .faults:
      patch = .object(["faults": ControlForm.patch(sheet.faults, request.fields)])
    case .settings: patch = ControlForm.patch(sheet.settings, request.fields)
    }
    let problem = await call("POST", path, patch)
    guard let problem else {
      return .seeOther(
        QueryText.append("done", deed.rawValue, to: ControlRoute.provider(name).path))
    }
    return await provider(name, done: nil, problem: problem, patch: patch)
  }

  /// A call of the control API; nil if it did what was asked.
  private func call(
    _ method: String, _ path: String, _ body: JSONValue? = nil
  ) async -> ControlProblem? {
    let answer = await api.respond(
      to: HTTPRequest(
        method: method, target: "/sandbox/\(path)", body: body?.serialized() ?? []))
    guard answer.status != 200 else { return nil }
    let json = try? JSONValue(parsing: answer.body)
    return ControlProblem(
      status: answer.status, text: json?["error"]?.text ?? "status \(answer.status)",
      field: json?["field"]?.text)
  }

  // MARK: What the sandboxes know

  func sheet(of id: String) async -> PaymentSheet? {
    for sandbox in sandboxes {
      if let sheet = await sandbox.sheet(of: id) { return sheet }
    }
    return nil
  }

  func providerSheet(_ name: String) async -> ProviderSheet? {
    await sandboxes.first { $0.name == name }?.providerSheet
  }

  /// One page of the list, newest first, and whether there is more.
  func list(
    of name: String?, before id: String?
  ) async -> (sheets: [PaymentSheet], hasMore: Bool) {
    var before: PaymentPlace?
    if let id {
      for (number, sandbox) in sandboxes.enumerated() where before == nil {
        before = await sandbox.place(of: id)
        before?.sandbox = number
      }
    }
    var found: [(place: PaymentPlace, sheet: PaymentSheet)] = []
    for (number, sandbox) in sandboxes.enumerated() where name ?? sandbox.name == sandbox.name {
      found += await sandbox.sheets(before: before, as: number, limit: Self.pageSize + 1)
    }
    found.sort { $0.place > $1.place }
    return (found.prefix(Self.pageSize).map(\.sheet), found.count > Self.pageSize)
  }
}

/// Why the control API did not do what a form asked.
struct ControlProblem {
  let status: Int
  let text: String
  /// The setting that it is about.
  let field: String?
}

/// A unit in which the clock is moved.
enum ClockUnit: String, CaseIterable {
  case seconds, minutes, hours, days

  var milliseconds: Int64 {
    switch self {
    case .seconds: 1_000
    case .minutes: 60_000
    case .hours: 3_600_000
    case .days: 86_400_000
    }
  }
}

extension HTTPRequest {
  /// A parameter of the query; nil if it is not there or empty.
  func parameter(_ name: String) -> String? {
    let value = query.first { $0.name == name }?.value ?? ""
    return value.isEmpty ? nil : value
  }

  /// All that the form in the body says.
  fileprivate var fields: [(name: String, value: String)] {
    QueryText.parseForm(String(decoding: body, as: UTF8.self))
  }
}
