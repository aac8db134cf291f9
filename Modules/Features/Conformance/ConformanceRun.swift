public import HTTPExchange
public import KitEnvironment
import PaymentModels
import StrictJSON

/// Plays the providers' checklists against a backend: one run of all checks at all providers.
///
/// Serve ``handler`` at `ownURL` first: the sandboxes deliver there, and the backend's fulfilment
/// messages go to its `/fulfilment`.
public struct ConformanceRun: Sendable {
  /// What a run is to do.
  public struct Options: Sendable {
    /// Ids of the checks to run; all if empty.
    public var only: [String]
    /// Providers to run them at; all of the adapter's if empty.
    public var providers: [ConformanceProvider]

    /// Builds options.
    public init(only: [String] = [], providers: [ConformanceProvider] = []) {
      self.only = only
      self.providers = providers
    }
  }

  private let adapter: ConformanceAdapter
  private let options: Options
  private let ownURL: String
  private let backend: BackendClient
  private let sandbox: SandboxControl
  private let relay: DeliveryRelay
  private let environment: KitEnvironment

  /// Puts a run together.
  ///
  /// - Parameters:
  ///   - backend: URL of the backend.
  ///   - sandbox: URL of the sandboxes that it talks to.
  ///   - ownURL: where ``handler`` is served.
  public init(
    backend: String, sandbox: String, ownURL: String, adapter: ConformanceAdapter,
    options: Options = Options(), transport: any HTTPTransport, environment: KitEnvironment
  ) {
    self.adapter = adapter
    self.options = options
    self.ownURL = ownURL
    self.environment = environment
    self.backend = BackendClient(
      url: backend, adapter: adapter, transport: transport, environment: environment)
    self.sandbox = SandboxControl(url: sandbox, transport: transport)
    relay = DeliveryRelay(backend: self.backend, adapter: adapter)
  }

  /// Takes what the sandboxes and the backend send to the suite.
  public var handler: any HTTPHandler { relay }

  /// Runs the checks, those of different providers at the same time.
  ///
  /// - Throws: ``ConformanceError`` if there is nothing to judge: no sandbox, or one whose clock
  ///   was moved before.
  public func run() async throws(ConformanceError) -> Scorecard {
    try await prepare()
    let checks = ConformanceCheck.all.filter {
      options.only.isEmpty || options.only.contains($0.id)
    }
    let accounts = adapter.accounts.filter {
      options.providers.isEmpty || options.providers.contains($0.provider)
    }
    var rows: [Scorecard.Row] = []
    await withTaskGroup(of: [Scorecard.Row].self) { group in
      for account in accounts {
        group.addTask { await self.rows(checks, account) }
      }
      for await more in group { rows += more }
    }
    await release()
    return Scorecard(rows: rows)
  }

  private func rows(
    _ checks: [ConformanceCheck], _ account: ConformanceAdapter.Account
  ) async -> [Scorecard.Row] {
    let bench = CheckBench(
      account: account, backend: backend, sandbox: sandbox, relay: relay,
      environment: environment, opened: OpenedPayments())
    let setup = await setUp(account)
    var rows: [Scorecard.Row] = []
    for check in checks {
      guard let rule = check.rules.first(where: { $0.provider == account.provider }) else {
        continue
      }
      let result = if let setup { setup } else { await result(of: check, bench) }
      rows.append(Scorecard.Row(check: check, rule: rule, result: result))
    }
    return rows
  }

  private func result(
    of check: ConformanceCheck, _ bench: CheckBench
  ) async -> Scorecard.Result {
    do {
      return .passed(try await check.run(bench))
    } catch CheckEnd.failed(let seen) {
      return .failed(seen)
    } catch CheckEnd.notRun(let reason) {
      return .notRun(reason)
    } catch {
      return .notRun("the run was stopped")
    }
  }

  // MARK: Set-up

  private func prepare() async throws(ConformanceError) {
    let known = ConformanceCheck.all.map(\.id)
    if let strange = options.only.first(where: { !known.contains($0) }) {
      throw ConformanceError("there is no check \(strange)")
    }
    do {
      guard try await sandbox.clockOffset() == 0 else {
        throw ConformanceError(
          "the sandboxes' clock was moved, so what they open is over at once: start them anew")
      }
    } catch let error as ConformanceError {
      throw error
    } catch {
      throw ConformanceError("the sandboxes do not answer at \(sandbox.url)")
    }
  }

  /// Has the provider's webhooks come to the suite; the reason if it cannot be done.
  private func setUp(_ account: ConformanceAdapter.Account) async -> Scorecard.Result? {
    await route(account, to: "\(ownURL)/webhooks/\(account.provider.rawValue)")
  }

  /// Has webhooks go to the backend itself again.
  private func release() async {
    for account in adapter.accounts {
      _ = await route(account, to: backend.url + account.webhookPath)
    }
  }

  private func route(
    _ account: ConformanceAdapter.Account, to url: String
  ) async -> Scorecard.Result? {
    do {
      guard account.provider == .tabby else {
        var settings = [JSONMember(name: "webhook_url", value: .string(url))]
        if let secret = account.webhookSecret {
          settings.append(JSONMember(name: "webhook_secret", value: .string(secret.reveal())))
        }
        if account.provider == .futa {
          // Whether Futa takes an app's own scheme is not documented; an app's backend sends one.
          settings.append(JSONMember(name: "app_return_urls", value: .bool(true)))
        }
        try await sandbox.change(account.provider, .object(settings))
        return nil
      }
      let listed = try await sandbox.tabby("GET", "/api/v1/webhooks", account)
      for id in (listed.elements ?? []).compactMap({ $0["id"]?.text }) {
        _ = try await sandbox.tabby("DELETE", "/api/v1/webhooks/\(id)", account)
      }
      var body = [JSONMember(name: "url", value: .string(url))]
      if let title = account.webhookHeader, let secret = account.webhookSecret {
        body.append(
          JSONMember(
            name: "header",
            value: .object(["title": .string(title), "value": .string(secret.reveal())])))
      }
      _ = try await sandbox.tabby("POST", "/api/v1/webhooks", account, .object(body))
      return nil
    } catch CheckEnd.notRun(let reason) {
      return .notRun(reason)
    } catch {
      return .notRun("the sandbox does not take the suite's address")
    }
  }
}

/// Why nothing could be judged.
public struct ConformanceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is missing, and what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}
