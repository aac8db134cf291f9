import CheckoutLifecycle
import CheckoutSession
import FulfilmentOutbox
import HTTPExchange
import PaymentModels
import ProviderInterface
import SystemCrypto

@testable import Simulation

/// A provider module with one fault in what it makes of an answer.
struct BentProvider: PaymentProvider {
  let inner: any PaymentProvider
  var read: @Sendable (PaymentReading) throws(ProviderError) -> PaymentReading = { $0 }
  var create: @Sendable (CreatedPayment) -> CreatedPayment = { $0 }

  /// Takes a page that was opened for money that was taken.
  static func credulous(_ inner: any PaymentProvider) -> BentProvider {
    BentProvider(
      inner: inner,
      read: { reading in
        var reading = reading
        guard reading.status == .created, let amount = reading.amount else { return reading }
        reading.status = .captured
        reading.items = [
          PaymentItem(
            kind: .capture, providerItemID: "made-up", reference: nil, amount: amount,
            createdAt: nil)
        ]
        return reading
      })
  }

  /// Never hears an answer.
  static func deaf(_ inner: any PaymentProvider) -> BentProvider {
    BentProvider(
      inner: inner,
      read: { _ throws(ProviderError) in
        throw ProviderError(.unknown, detail: "deaf")
      })
  }

  /// Hands its merchant's key to whoever pays.
  static func leaky(_ inner: any PaymentProvider) -> BentProvider {
    BentProvider(
      inner: inner,
      create: { created in
        var created = created
        created.checkoutURL = created.checkoutURL.map {
          "\($0)\($0.contains("?") ? "&" : "?")key=\(WorldProviders.tabbyKey.reveal())"
        }
        return created
      })
  }

  var name: ProviderName { inner.name }
  var account: ProviderAccount { inner.account }
  var mode: PaymentMode { inner.mode }
  var capabilities: ProviderCapabilities { inner.capabilities }

  func prepareCreate(_ terms: CheckoutTerms) throws(ProviderError) -> [UInt8] {
    try inner.prepareCreate(terms)
  }
  func create(
    _ request: [UInt8], idempotencyKey: String
  ) async throws(ProviderError) -> CreatedPayment {
    create(try await inner.create(request, idempotencyKey: idempotencyKey))
  }
  func read(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading {
    try read(try await inner.read(id))
  }
  func capture(_ request: ProviderOperation) async throws(ProviderError) -> PaymentReading {
    try await inner.capture(request)
  }
  func refund(_ request: ProviderOperation) async throws(ProviderError) -> PaymentReading {
    try await inner.refund(request)
  }
  func close(_ id: ProviderPaymentID) async throws(ProviderError) -> PaymentReading {
    try await inner.close(id)
  }
  func inspectWebhook(_ request: HTTPRequest) -> WebhookInspection {
    inner.inspectWebhook(request)
  }
}

/// An app's way to its server with one fault.
struct BentBackend: MerchantBackend {
  let inner: any MerchantBackend
  /// What becomes of a read, answered or not.
  let read:
    @Sendable (PaymentAnswer?, BackendError?, PaymentID) throws(BackendError) -> PaymentAnswer?

  /// Hears no answer to a read.
  static func mute(_ inner: any MerchantBackend) -> BentBackend {
    BentBackend(inner: inner) { _, _, _ throws(BackendError) in
      throw BackendError(.retryLater(after: nil), reason: "mute")
    }
  }

  /// Takes a payment that is not paid yet for one that expired.
  static func hasty(_ inner: any MerchantBackend) -> BentBackend {
    BentBackend(inner: inner) { answer, error, _ throws(BackendError) in
      if let error { throw error }
      guard var answer, answer.status == .created else { return answer }
      answer.status = .expired
      return answer
    }
  }

  func createCheckout(
    _ request: CheckoutRequest, key: CheckoutKey
  ) async throws(BackendError) -> PaymentAnswer {
    try await inner.createCheckout(request, key: key)
  }
  func readPayment(
    _ id: PaymentID, wait: Duration, knownVersion: Int64?
  ) async throws(BackendError) -> PaymentAnswer? {
    do throws(BackendError) {
      return try read(
        try await inner.readPayment(id, wait: wait, knownVersion: knownVersion), nil, id)
    } catch {
      return try read(nil, error, id)
    }
  }
  func sendSignal(_ signal: CheckoutSignal, for id: PaymentID) async throws(BackendError) {
    try await inner.sendSignal(signal, for: id)
  }
}

/// A server's way out with one fault in what it does to fulfilment messages.
struct BentOutbox: HTTPTransport {
  let inner: any HTTPTransport
  let message:
    @Sendable (HTTPOutgoing, any HTTPTransport) async throws(HTTPTransportError) -> HTTPResponse

  /// Acknowledges every message itself.
  static func silent(_ inner: any HTTPTransport) -> BentOutbox {
    BentOutbox(inner: inner) { _, _ throws(HTTPTransportError) in HTTPResponse(status: 204) }
  }

  /// Makes a new message, rightly signed, of each try.
  static func forgetful(_ inner: any HTTPTransport) -> BentOutbox {
    let signature = MessageSignature(secret: WorldShop.fulfilmentSecret, hashing: .openSSL)
    return BentOutbox(inner: inner) { request, inner throws(HTTPTransportError) in
      let seconds = request.headers["webhook-timestamp"].flatMap(Int64.init) ?? 0
      let id = "\(request.headers["webhook-id"] ?? "")-\(seconds)"
      var request = request
      request.headers = signature.headers(
        id: id, at: Instant(milliseconds: seconds * 1_000), body: request.body)
      return try await inner.send(request)
    }
  }

  /// Never comes back from a message, whatever becomes of its task.
  static func endless(_ inner: any HTTPTransport) -> BentOutbox {
    BentOutbox(inner: inner) { _, _ throws(HTTPTransportError) in
      // Never resumed: a task that takes no notice of its cancellation is what is wanted.
      await unsafe withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      return HTTPResponse(status: 204)
    }
  }

  func send(_ request: HTTPOutgoing) async throws(HTTPTransportError) -> HTTPResponse {
    request.headers["webhook-id"] == nil
      ? try await inner.send(request) : try await message(request, inner)
  }
}
