import CommandLineParser
import FulfilmentOutbox
import HTTPExchange
import KitEnvironment
import PaymentModels
import PaymentStore
import ProviderInterface
import StrictJSON
import SystemRuntime

/// Servers that are wrong on purpose, in debug builds only: they show that the stories of the
/// demo can fail. Each wraps the real server from outside and breaks one rule.
enum BrokenServer: String, Sendable, CaseIterable {
  /// Takes the app's word for it: a success return marks the payment captured.
  case trustRedirect = "trust-redirect"
  /// Acts on every delivery of a webhook, twins included.
  case skipDedupe = "skip-dedupe"
  /// Never asks the provider; waits to be told.
  case neverPoll = "never-poll"

  static let options = BrokenKit.option(allCases.map(\.rawValue))

  init?(_ arguments: Arguments) throws(UsageError) {
    guard let broken = BrokenKit.word(arguments).flatMap({ BrokenServer(rawValue: $0) }) else {
      return nil
    }
    self = broken
  }

  func wrap(_ provider: any PaymentProvider) -> any PaymentProvider {
    self == .neverPoll ? DeafProvider(real: provider) : provider
  }

  func wrap(
    _ handler: any HTTPHandler, _ configuration: ServerConfiguration, _ store: any PaymentStore,
    _ transport: any HTTPTransport, _ environment: KitEnvironment
  ) -> any HTTPHandler {
    switch self {
    case .trustRedirect:
      CredulousHandler(real: handler, store: store, environment: environment)
    case .skipDedupe:
      EagerHandler(
        real: handler, store: store, receiver: configuration.fulfilment?.url,
        transport: transport, environment: environment)
    case .neverPoll: handler
    }
  }
}

/// Believes that the payer paid because the app says that the success page came back.
private struct CredulousHandler: HTTPHandler {
  let real: any HTTPHandler
  let store: any PaymentStore
  let environment: KitEnvironment

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    let parts = request.path.split(separator: "/").map(String.init)
    let signal = (try? JSONValue(parsing: request.body))?["signal"]?.text ?? ""
    // The classic mistake takes any return for success: the URL alone does not tell.
    if parts.count == 4, parts[3] == "signals", signal.hasPrefix("returned_") {
      await believe(PaymentID(parts[2]))
    }
    return await real.respond(to: request)
  }

  private func believe(_ id: PaymentID) async {
    let environment = environment
    do {
      try await store.write { transaction in
        guard let payment = try transaction.payment(id), let provider = payment.providerPaymentID
        else { return }
        let item = PaymentItem(
          kind: .capture, providerItemID: "believed", reference: nil, amount: payment.amount,
          createdAt: nil)
        _ = try Settlement(
          transaction, policy: SettlementPolicy(), now: environment.clock.now(),
          newUUID: environment.newUUID
        ).apply(
          PaymentReading(
            providerPaymentID: provider, status: .captured, amount: payment.amount,
            items: [item]), to: id, startedAt: nil, channel: .device)
      }
    } catch {
      environment.log(.error, "the broken server could not write", ("error", "\(error)"))
    }
  }
}

/// Fulfils for every webhook that says authorized, as if each were news.
private struct EagerHandler: HTTPHandler {
  let real: any HTTPHandler
  let store: any PaymentStore
  let receiver: String?
  let transport: any HTTPTransport
  let environment: KitEnvironment

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    let response = await real.respond(to: request)
    let body = try? JSONValue(parsing: request.body)
    guard request.path == "/webhooks/tabby", response.status == 200,
      body?["status"]?.text == "authorized", let order = body?["order"]?["reference_id"]?.text,
      let receiver
    else { return response }
    let message: JSONValue = .object([
      "type": .string("order.fulfil"), "order_id": .string(order),
    ])
    _ = try? await transport.send(
      HTTPOutgoing(
        method: "POST", url: receiver, headers: ["webhook-id": environment.newUUID()],
        body: message.serialized()))
    return response
  }
}

/// Never asks of itself: reads of a payment fail until a webhook about it has come.
private final class DeafProvider: PaymentProvider {
  private let real: any PaymentProvider
  private let told = Locked<Set<ProviderPaymentID>>([])

  init(real: any PaymentProvider) { self.real = real }

  var name: ProviderName { real.name }
  var account: ProviderAccount { real.account }
  var mode: PaymentMode { real.mode }
  var capabilities: ProviderCapabilities { real.capabilities }

  func prepareCreate(_ terms: CheckoutTerms) throws(ProviderError) -> [UInt8] {
    try real.prepareCreate(terms)
  }

  func create(
    _ request: [UInt8], idempotencyKey: String
  ) async throws(ProviderError) -> CreatedPayment {
    try await real.create(request, idempotencyKey: idempotencyKey)
  }

  func read(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading {
    guard told.withLock({ $0.contains(id) }) else {
      throw ProviderError(.unknown, detail: "this server never asks")
    }
    return try await real.read(id)
  }

  func capture(_ request: ProviderOperation) async throws(ProviderError) -> PaymentReading {
    try await real.capture(request)
  }

  func refund(_ request: ProviderOperation) async throws(ProviderError) -> PaymentReading {
    try await real.refund(request)
  }

  func close(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading {
    try await real.close(id)
  }

  func readTransaction(
    _ id: String, of payment: ProviderPaymentID
  ) async throws(ProviderError) -> PaymentReading? {
    try await real.readTransaction(id, of: payment)
  }

  func webhookProof(_ body: [UInt8], of payment: ProviderPaymentID) -> WebhookProof? {
    real.webhookProof(body, of: payment)
  }

  var webhookHeaders: [String] { real.webhookHeaders }

  func inspectWebhook(_ request: HTTPRequest) -> WebhookInspection {
    noted(real.inspectWebhook(request))
  }

  func inspectWebhook(
    _ request: HTTPRequest, receivedAt time: Instant
  ) -> WebhookInspection {
    noted(real.inspectWebhook(request, receivedAt: time))
  }

  private func noted(_ inspection: WebhookInspection) -> WebhookInspection {
    if case .notice(let notice) = inspection, let id = notice.providerPaymentID {
      told.withLock { _ = $0.insert(id) }
    }
    return inspection
  }
}
