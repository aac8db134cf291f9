import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderSandbox

/// The provider sandboxes as the programs serve them.
struct DemoSandbox: Sendable {
  private let stack: SandboxStack

  /// Sets them up with the keys that they let in.
  init(
    tabby settings: TabbySandboxSettings, futaKeys: [Secret], raisKeys: [Secret],
    tebexKeys: [Secret], sebSecrets: [Secret],
    environment: KitEnvironment, transport: any HTTPTransport
  ) {
    var all = SandboxStack.Settings()
    all.tabby = settings
    all.futa = FutaSandboxSettings(keys: futaKeys)
    all.rais = RaisSandboxSettings(keys: raisKeys)
    all.tebex = TebexSandboxSettings(keys: tebexKeys)
    all.seb.clients = sebSecrets.map { secret in
      var client = SEBSandboxClient.demo
      client.secret = secret
      return client
    }
    stack = SandboxStack(settings: all, environment: environment, transport: transport)
  }

  /// Answers for all of them, on a machine where browsers are.
  var handler: any HTTPHandler { LocalControl(stack) }

  /// Delivers webhooks and lets time pass until the task is cancelled.
  func run() async { await stack.run() }
}
