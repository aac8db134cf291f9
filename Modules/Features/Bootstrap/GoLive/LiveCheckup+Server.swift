import FulfilmentOutbox
import MerchantCommands
import MerchantServer
import PaymentModels
import ProviderInterface

extension LiveCheckup {
  /// What must be so of the server, whoever takes the money.
  func serverChecks(
    _ accounts: [any PaymentProvider], _ path: PublicPath
  ) async -> [LiveCheck] {
    [
      mode(accounts), await doctor(), address(), await reach(path), links(), fulfilment(),
      you(
        "backup",
        "A backup is made by itself (till backup), lies on another machine, and was put back once."
      ),
      you(
        "alarms",
        "Somebody is woken by the alerts of Docs/Operations.md, and has seen one ring."),
      you(
        "people",
        "Each person has an operator key of their own; a key that was used for trying is gone."),
      you(
        "app",
        "No provider's key is in the app; killed on the hosted page, it shows the right end anew."),
    ]
  }

  private func you(_ item: String, _ question: String) -> LiveCheck {
    LiveCheck("server", item, .youSay, question)
  }

  private func mode(_ accounts: [any PaymentProvider]) -> LiveCheck {
    let tests = accounts.filter { $0.mode == .test }.map { "\($0.name) \($0.account)" }
    guard let first = tests.first else {
      return LiveCheck("server", "mode", .yes, "each of its accounts takes real money")
    }
    return LiveCheck(
      "server", "mode", .no, "\(first) is a test account; what it takes is not real",
      advice: "set the live keys and modes; test and live never stand in one server")
  }

  private func doctor() async -> LiveCheck {
    let checks = await Doctor(
      configuration: configuration, transport: transport, environment: environment,
      asksProviders: false
    ).checks()
    let wrong = checks.filter { $0.standing == .fail }.map(\.name)
    guard wrong.isEmpty else {
      return LiveCheck(
        "server", "doctor", .no, "wrong: \(wrong.joined(separator: ", "))",
        advice: "till doctor says what to do")
    }
    return LiveCheck("server", "doctor", .yes, "till doctor finds nothing wrong")
  }

  private func address() -> LiveCheck {
    guard let publicURL else {
      return LiveCheck(
        "server", "address", .cannotTell, "nobody said at which address the world reaches it",
        advice: "--public-url https://pay.shop.example")
    }
    guard publicURL.hasPrefix("https://") else {
      return LiveCheck(
        "server", "address", .no, "\(publicURL) is not https",
        advice: "let a proxy with a certificate stand in front: Docs/Operations.md")
    }
    return LiveCheck("server", "address", .yes, "\(publicURL) is https")
  }

  /// The same word here and there is the same process: whatever answers at the public address, it
  /// is this server.
  private func reach(_ path: PublicPath) async -> LiveCheck {
    let local = LiveService.url(configuration.address, configuration.port)
    switch (await PublicPath.instance(at: local, transport), await path.instance()) {
    case (_, .notAsked):
      return LiveCheck("server", "reach", .cannotTell, "without --public-url it is not asked")
    case (.ours(let here), .ours(let there)) where here == there:
      return LiveCheck(
        "server", "reach", .yes, "the public address leads here, as seen from this machine")
    case (.ours, .ours):
      return LiveCheck(
        "server", "reach", .cannotTell, "another till-server answers at the public address",
        advice: "fine if both work over one store; else the proxy leads elsewhere")
    case (_, .other(let fact)):
      return LiveCheck(
        "server", "reach", .no, fact, advice: "look at name, certificate and proxy, in this order")
    case (let here, .ours):
      let fact = if case .other(let text) = here { text } else { "nothing answers here" }
      return LiveCheck(
        "server", "reach", .cannotTell, "a till-server answers there, and \(fact)",
        advice: "run this where till-server runs, with its settings")
    }
  }

  private func links() -> LiveCheck {
    let base = configuration.appReturnBase
    if base.hasPrefix("http://") {
      return LiveCheck(
        "server", "links", .no, "payers come back by \(base), in plain text",
        advice: "set app_return_base to an https address or the app's own scheme")
    }
    let apps = configuration.associations
    guard base.hasPrefix("https://"), apps.appleAppIDs.isEmpty, apps.androidApps.isEmpty else {
      return LiveCheck("server", "links", .yes, "payers come back by \(base)")
    }
    return LiveCheck(
      "server", "links", .no, "payers come back by \(base), and no app is named to open it",
      advice: "set apple_app_ids and android_apps")
  }

  private func fulfilment() -> LiveCheck {
    guard let outbox = configuration.fulfilment else {
      return LiveCheck(
        "server", "fulfilment", .no, "nobody is told what to ship: there is no such setting",
        advice: "set fulfilment.url and fulfilment.secret")
    }
    guard outbox.url.hasPrefix("https://") || BaseURL.isOnThisMachine(outbox.url) else {
      return LiveCheck(
        "server", "fulfilment", .no, "messages to the shop go out in plain text",
        advice: "set fulfilment.url to an https address")
    }
    return LiveCheck("server", "fulfilment", .yes, "messages to the shop go to \(outbox.url)")
  }
}

extension BaseURL {
  fileprivate static func isOnThisMachine(_ url: String) -> Bool {
    webOrigin(of: url).flatMap { BaseURL($0) }?.isLoopback ?? false
  }
}
