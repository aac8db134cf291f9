import HTTPExchange
import MerchantAPI
import StatusSync
import StrictJSON

/// What a caller may send to the merchant server is taken or refused, and what is taken is written
/// and read back as the same. The first byte says what it is.
func checkBodies(_ bytes: [UInt8]) throws(BrokenClaim) {
  var input = FuzzInput(bytes)
  switch input.choice(of: 3) {
  case 0: try checkRoute(input.textLine(), input.text())
  case 1: try checkCursor(input.text())
  default:
    guard let json = try? JSONValue(parsing: input.remainder()) else { return }
    try checkRequestBodies(json)
    try checkViews(json)
  }
}

/// A route that was found is the route of its own path; whatever is in a path can stand there.
private func checkRoute(_ method: String, _ path: String) throws(BrokenClaim) {
  for method in [method, "GET", "POST"] {
    guard case .route(let route) = Route.match(method: method, path: path) else { continue }
    try hold(
      Route.match(method: route.method, path: route.path) == .route(route),
      "a route is found at its own path")
    try hold(
      route.path.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a path of ours is plain ASCII")
  }
}

private func checkCursor(_ text: String) throws(BrokenClaim) {
  guard let cursor = ReconcileCursor(text) else { return }
  try hold(ReconcileCursor(cursor.description) == cursor, "a cursor is read back")
}

private func checkRequestBodies(_ json: JSONValue) throws(BrokenClaim) {
  try checkBack(json, CheckoutBody.init(json:), \.json)
  try checkBack(json, OperationBody.init(json:), \.json)
  try checkBack(json, ReasonBody.init(json:), \.json)
  try checkBack(json, PauseBody.init(json:), \.json)
  try checkBack(json, EraseBody.init(json:), \.json)
  try checkBack(json, SignalBody.init(json:), \.json)
  try checkBack(json, ReconcileBody.init(json:), \.json)
  try checkBack(json, ResolveBody.init(json:), \.json)
  try checkBack(json, { try ReplayBody(json: $0, bodyBytesMax: 64 << 10) }, \.json)
}

/// What the server answers is read by apps and by the command line.
private func checkViews(_ json: JSONValue) throws(BrokenClaim) {
  try checkBack(json, PaymentView.init(json:), \.json)
  let answer = HTTPResponse(
    status: 422, headers: ["Content-Type": "application/problem+json"], body: json.serialized())
  if let problem = Problem(response: answer) {
    try hold(
      json["type"]?.text?.hasSuffix(problem.code.rawValue) == true,
      "a problem is the one that was named")
    try hold(
      problem.detail == json["detail"]?.text ?? "" && problem.path == json["path"]?.text,
      "a problem says what was said")
    try hold(Problem(response: problem.response) == problem, "a problem is read back")
  }
}

private func checkBack<Body: Equatable>(
  _ json: JSONValue, _ read: (JSONValue) throws -> Body, _ write: (Body) -> JSONValue
) throws(BrokenClaim) {
  guard let body = try? read(json) else { return }
  try hold((try? read(write(body))) == body, "a \(Body.self) that is written is read back")
}
