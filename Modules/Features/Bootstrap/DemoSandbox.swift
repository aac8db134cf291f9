import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderSandbox

/// The provider sandboxes as the programs serve them: Tabby at the root, Futa under `/futa`,
/// Raïs under `/rais`, Tebex under `/tebex`, SEB under `/seb`.
struct DemoSandbox: Sendable {
  /// Answers for all of them.
  let handler: any HTTPHandler
  private let tabby: TabbySandbox
  private let futa: FutaSandbox
  private let rais: RaisSandbox
  private let tebex: TebexSandbox
  private let seb: SEBSandbox

  /// Sets them up with the keys that they let in.
  init(
    tabby settings: TabbySandboxSettings, futaKeys: [Secret], raisKeys: [Secret],
    tebexKeys: [Secret], sebSecrets: [Secret],
    environment: KitEnvironment, transport: any HTTPTransport
  ) {
    tabby = TabbySandbox(settings: settings, environment: environment, transport: transport)
    futa = FutaSandbox(
      settings: FutaSandboxSettings(keys: futaKeys), environment: environment,
      transport: transport, prefix: "/futa")
    rais = RaisSandbox(
      settings: RaisSandboxSettings(keys: raisKeys), environment: environment,
      transport: transport, prefix: "/rais")
    tebex = TebexSandbox(
      settings: TebexSandboxSettings(keys: tebexKeys), environment: environment,
      transport: transport, prefix: "/tebex")
    let clients = sebSecrets.map { secret in
      var client = SEBSandboxClient.demo
      client.secret = secret
      return client
    }
    seb = SEBSandbox(
      settings: SEBSandboxSettings(clients: clients), environment: environment,
      transport: transport, prefix: "/seb")
    handler = ProviderSandboxes(
      root: tabby,
      others: [("futa", futa), ("rais", rais), ("tebex", tebex), ("seb", seb)])
  }

  /// Delivers webhooks and lets time pass until the task is cancelled.
  func run() async {
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
