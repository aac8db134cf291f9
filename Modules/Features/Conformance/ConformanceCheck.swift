/// One rule of the providers' documents that can be seen from outside.
public struct ConformanceCheck: Sendable {
  /// Its name, for `--only`.
  public let id: String
  /// What must be so.
  public let title: String
  /// What the merchant loses if it is not.
  public let loss: String
  /// Where it is written; it is run at these providers.
  public let rules: [DocumentRule]
  let run: @Sendable (CheckBench) async throws -> String

  init(
    _ id: String, _ title: String, loss: String, _ rules: [DocumentRule],
    run: @escaping @Sendable (CheckBench) async throws -> String
  ) {
    self.id = id
    self.title = title
    self.loss = loss
    self.rules = rules
    self.run = run
  }

  /// All checks in the order in which they run; what is judged of the whole run comes last.
  public static let all: [ConformanceCheck] =
    opening + returning + webhooks + orderOfWebhooks + reading + endings + closing
}
