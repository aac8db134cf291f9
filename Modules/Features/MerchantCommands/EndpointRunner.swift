import PaymentModels
public import ProviderInterface
import StrictJSON

/// Carries out `till endpoint`: shows and changes where a provider sends its webhooks.
public struct EndpointRunner: Sendable {
  let providers: [any PaymentProvider]
  let terminal: Terminal

  /// Composes a runner over the accounts of a server's settings.
  public init(providers: [any PaymentProvider], terminal: Terminal) {
    self.providers = providers
    self.terminal = terminal
  }

  /// Carries out one request and returns the exit code. A failure is one line on standard error.
  public func run(_ command: EndpointCommand, asJSON: Bool) async -> Int32 {
    do {
      try await perform(command, asJSON)
      return 0
    } catch {
      terminal.complain("error: \(printable(error.message))")
      return error.kind.rawValue
    }
  }

  private func perform(
    _ command: EndpointCommand, _ asJSON: Bool
  ) async throws(CommandFailure) {
    let account = try account(command)
    do throws(ProviderError) {
      switch command.request {
      case .list:
        let webhooks = try await account.webhooks()
        show(asJSON ? listJSON(webhooks, account) : listLines(webhooks, account))
      case .register(let url):
        let (webhook, change) = try await account.registerWebhook(url: url)
        show(
          asJSON
            ? changeJSON(webhook, change, account) : changeLines(webhook, change, account))
        warn(of: url, account)
      case .remove(let id):
        try await account.removeWebhook(id)
        show(
          asJSON
            ? lines(.object(["change": "removed", "webhook_id": .string(id)]))
            : ["removed  \(printable(id))"])
      }
    } catch {
      throw CommandFailure(error, account: account, isChange: command.request != .list)
    }
  }

  /// A delivery to any other path is answered with 404, unless a proxy rewrites it.
  private func warn(of url: String, _ account: any PaymentProvider) {
    let path = "/webhooks/\(account.name)"
    guard !url.contains(path) else { return }
    terminal.complain("warning: the server takes this provider's webhooks at \(path) alone")
  }

  private func show(_ lines: [String]) { lines.forEach { terminal.line($0) } }

  /// The account that the command names, if its provider has an API for webhooks.
  private func account(
    _ command: EndpointCommand
  ) throws(CommandFailure) -> any WebhookRegistering {
    let own = providers.filter { $0.name.rawValue == command.provider }
    let named = own.filter { command.account == nil || $0.account.rawValue == command.account }
    guard let account = named.first else {
      let wanted = [command.provider, command.account].compactMap(\.self).joined(separator: " ")
      let known = providers.map { "\($0.name) \($0.account)" }.joined(separator: ", ")
      throw CommandFailure(
        .notFound, "the settings have no account \(wanted); they have \(known)")
    }
    guard named.count == 1 else {
      let names = named.map(\.account.rawValue).joined(separator: ", ")
      throw CommandFailure(
        .wrongData, "\(account.name) has several accounts: name one of \(names) with --account")
    }
    if let account = account as? any WebhookRegistering { return account }
    guard case .byHand(let place) = account.capabilities.webhookSetup else {
      preconditionFailure("\(account.name) names an API for webhooks and has none")
    }
    throw CommandFailure(
      .wrongData,
      "\(account.name) has no API for webhooks: enter your server's URL, with "
        + "/webhooks/\(account.name) at the end, \(place)")
  }
}

extension CommandFailure {
  /// Reads why a provider did not do it.
  fileprivate init(_ error: ProviderError, account: any PaymentProvider, isChange: Bool) {
    let place = "\(account.name) \(account.account)"
    switch error.kind {
    // Refused by us, before anything was sent: only the limit is about the state of things.
    case .refused where error.status == nil && error.code == nil:
      self.init(.wrongData, "\(place): \(error.detail)")
    case .refused: self.init(.notAllowed, "\(place): \(error.detail)")
    case .notFound: self.init(.notFound, "\(place): there is no such webhook")
    case .unauthorized:
      self.init(.denied, "\(place): the key is not accepted for this account (\(error.detail))")
    case .unknown where isChange:
      self.init(
        .notKnownYet,
        "\(place): what became of it is not known, and it may be repeated (\(error.detail))")
    case .notSent, .throttled, .unknown:
      self.init(.unavailable, "\(place): no answer that helps (\(error.detail))")
    }
  }
}
