public import PaymentModels
public import ProviderInterface

/// A call of ``PaymentProvider`` that a test makes of every provider which sends something for it.
public enum ProviderCall: String, Sendable, CaseIterable, CustomStringConvertible {
  case create, read, capture, refund, close

  /// The call's name.
  public var description: String { rawValue }

  /// Makes the call and gives its error; nil if it succeeds.
  ///
  /// - Parameter amount: of a capture or refund.
  public func error(
    of provider: some PaymentProvider, about payment: ProviderPaymentID, _ amount: Money
  ) async -> ProviderError? {
    let operation = ProviderOperation(
      providerPaymentID: payment, amount: amount, reference: OperationID("op-1"))
    return switch self {
    case .create: await failure { try await provider.create([0x7B, 0x7D], idempotencyKey: "k") }
    case .read: await failure { try await provider.read(payment) }
    case .capture: await failure { try await provider.capture(operation) }
    case .refund: await failure { try await provider.refund(operation) }
    case .close: await failure { try await provider.close(payment) }
    }
  }
}
