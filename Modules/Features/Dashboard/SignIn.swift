import HTTPExchange
import KitEnvironment
import MerchantServer
import PaymentModels
import WebPages

extension Dashboard {
  /// Bytes of a key that is looked at.
  private static let keyBytesMax = 512

  func showSignIn(_ request: HTTPRequest) async throws -> HTTPResponse {
    signInPage(next: Self.next(request.query.first { $0.name == "next" }?.value), problem: nil)
  }

  /// Where somebody who is not signed in goes: after a form there is nothing to come back to.
  func signInTarget(_ request: HTTPRequest, _ method: String) -> String {
    let target = method == "GET" ? request.target : DashboardRoute.root
    guard target != DashboardRoute.root else { return DashboardRoute.signIn.path }
    return QueryText.append("next", target, to: DashboardRoute.signIn.path)
  }

  func signIn(_ request: HTTPRequest) async throws -> HTTPResponse {
    let client = request.client(behind: trustedProxies)?.network
    if let wait = await attempts.wait(client) {
      environment.log(.warning, "sign-ins to the dashboard are slowed down")
      let seconds = Int((wait.wholeMilliseconds + 999) / 1_000)
      throw PageRefusal(
        429, "Too many attempts", "Try again in \(seconds) seconds.",
        header: ("Retry-After", "\(seconds)"))
    }
    let next = Self.next(request.form("next"))
    let key = Secret(String((request.form("key") ?? "").utf8.prefix(Self.keyBytesMax)) ?? "")
    guard !key.isBlank, case .operator(let name) = await authenticator.caller(of: key) else {
      environment.log(.warning, "a sign-in to the dashboard was refused")
      return signInPage(next: next, problem: "That is no operator key.")
    }
    if let before = request.sessionID { await sessions.close(before) }
    let id = await sessions.open(name, key)
    environment.log(.info, "signed in to the dashboard", ("operator", name.rawValue))
    return redirect(
      to: next, cookie: Self.cookie(id.reveal(), request, seconds: Sessions.life.components.seconds)
    )
  }

  func signOut(_ visit: Visit) async -> HTTPResponse {
    await sessions.close(visit.sessionID)
    return redirect(
      to: DashboardRoute.signIn.path, cookie: Self.cookie("", visit.request, seconds: 0))
  }

  private static func cookie(_ value: String, _ request: HTTPRequest, seconds: Int64) -> String {
    "\(request.sessionCookie)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
      + (request.isOfThisMachine ? "" : "; Secure")
  }

  /// A page of ours to go to: whatever else it says, it leads nowhere else.
  private static func next(_ wish: String?) -> String {
    guard let wish, wish.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let route = DashboardRoute(path: String(wish.prefix { $0 != "?" })), route.isPage
    else { return DashboardRoute.root }
    return wish
  }

  private func signInPage(next: String, problem: String?) -> HTTPResponse {
    let alert: HTML? = problem.map {
      "<p class=\"alert\" role=\"alert\" id=\"key-problem\">\($0)</p>"
    }
    let body: HTML = """
      <main id="main" class="sign-in" tabindex="-1">
      <div class="brand" aria-hidden="true">\(HTML.mark)<span>Tillkit</span></div>
      <h1>Sign in</h1>
      \(alert)
      <form method="post" action="\(DashboardRoute.signIn.path)">
      <input type="hidden" name="next" value="\(next)">
      <input type="hidden" name="username" value="operator" autocomplete="username">
      <label for="key">Operator key</label>
      <input id="key" name="key" type="password" required autocomplete="current-password"
       spellcheck="false" autofocus\(if: problem != nil, """
       aria-invalid="true" aria-describedby="key-problem"
      """)>
      <button class="primary" type="submit">Sign in</button>
      </form>
      <p class="soft">One of <code>operator_keys</code> in the server’s settings. What you do here
      stands in the journal under the name of the key.</p>
      </main>
      """
    return assets.document(title: "Sign in", body: body, status: problem == nil ? 200 : 401)
  }
}
