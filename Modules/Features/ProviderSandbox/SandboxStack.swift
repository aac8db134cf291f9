public import HTTPExchange
public import KitEnvironment
public import StrictJSON

/// The fake providers that the kit knows, each under its place: Tabby at the root, Futa under
/// `/futa`, Raïs under `/rais`, Tebex under `/tebex`, SEB under `/seb`.
/// `/sandbox` shows people what the control API of ``ProviderSandboxes`` does.
public struct SandboxStack: HTTPHandler {
  /// The settings of all of them; each with the key of demos unless told.
  public struct Settings: Sendable {
    /// Of the fake Tabby.
    public var tabby = TabbySandboxSettings()
    /// Of the fake Futa.
    public var futa = FutaSandboxSettings()
    /// Of the fake Raïs.
    public var rais = RaisSandboxSettings()
    /// Of the fake Tebex.
    public var tebex = TebexSandboxSettings()
    /// Of the fake SEB.
    public var seb = SEBSandboxSettings()

    /// The assumed behaviour.
    public init() {}
  }

  private let handler: ProviderSandboxes
  private let pages: ControlPages
  private let tabby: TabbySandbox
  private let futa: FutaSandbox
  private let rais: RaisSandbox
  private let tebex: TebexSandbox
  private let seb: SEBSandbox

  /// Sets them up, empty.
  ///
  /// - Parameters:
  ///   - transport: what carries webhooks to the merchant.
  ///   - publicURL: origin of the links that they hand out; nil takes the `Host` of each request.
  public init(
    settings: Settings, environment: KitEnvironment, transport: any HTTPTransport,
    publicURL: String? = nil
  ) {
    tabby = TabbySandbox(
      settings: settings.tabby, environment: environment, transport: transport,
      publicURL: publicURL)
    futa = FutaSandbox(
      settings: settings.futa, environment: environment, transport: transport,
      publicURL: publicURL, prefix: "/futa")
    rais = RaisSandbox(
      settings: settings.rais, environment: environment, transport: transport,
      publicURL: publicURL, prefix: "/rais")
    tebex = TebexSandbox(
      settings: settings.tebex, environment: environment, transport: transport,
      publicURL: publicURL, prefix: "/tebex")
    seb = SEBSandbox(
      settings: settings.seb, environment: environment, transport: transport,
      publicURL: publicURL, prefix: "/seb")
    handler = ProviderSandboxes(
      root: tabby,
      others: [("futa", futa), ("rais", rais), ("tebex", tebex), ("seb", seb)])
    pages = ControlPages(
      api: handler,
      sandboxes: [tabby.ledger, futa.ledger, rais.ledger, tebex.ledger, seb.ledger],
      environment: environment)
  }

  /// Answers for all of them.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    if let page = await pages.respond(to: request) { return page }
    return await handler.respond(to: request)
  }

  /// What `GET /sandbox/ledger` answers, for a judge in the same process.
  public func ledger() async -> JSONValue {
    ProviderSandboxes.ledger(
      await tabby.ledger.ledgerJSON,
      others: [
        ("futa", await futa.ledger.ledgerJSON), ("rais", await rais.ledger.ledgerJSON),
        ("tebex", await tebex.ledger.ledgerJSON), ("seb", await seb.ledger.ledgerJSON),
      ])
  }

  /// Delivers webhooks and lets time pass until the task is cancelled. Call it once.
  public func run() async {
    async let root: Void = tabby.run()
    async let second: Void = futa.run()
    async let third: Void = rais.run()
    async let fourth: Void = tebex.run()
    await seb.run()
    await fourth
    await third
    await second
    await root
  }
}
