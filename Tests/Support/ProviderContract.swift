/// What every provider's client promises, as checks against a server of the provider's: its
/// sandbox, or its own with a test account.
///
/// Each check runs on a bench of its own. What a provider cannot do is checked as well: it is
/// refused before anything is sent.
public enum ProviderContract {
  /// One promise, and what a bench must have to look at it.
  public struct Case: Sendable, CustomStringConvertible {
    /// What a bench must have.
    public enum Need: Sendable {
      /// Answers that can be spoilt.
      case spoiler
      /// A payer that a program drives.
      case payer
      /// Webhooks that arrive.
      case webhooks
    }

    /// What it needs.
    public let needs: Set<Need>
    private let check: ContractCase<ProviderBench>

    init(
      _ name: String, needs: Set<Need> = [],
      _ body: @escaping @Sendable (ProviderBench, inout Violations) async throws -> Void
    ) {
      self.needs = needs
      check = ContractCase(name, body)
    }

    /// The sentences that are not true of the bench's client.
    public func violations(on bench: ProviderBench) async throws -> [String] {
      try await check.violations(of: bench)
    }

    /// The promise.
    public var description: String { check.name }
  }

  /// Every promise.
  public static let cases: [Case] = creates + payments + faults + answers + webhooks + operations
}
