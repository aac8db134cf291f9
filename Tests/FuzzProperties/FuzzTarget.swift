/// What is fuzzed: parsers of bytes that others wrote, each with claims that hold for every input.
///
/// `make fuzz` makes the inputs up; the tests put the corpora of Tests/Fuzz/Seeds through the same
/// claims. The raw value is the name of the corpus.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// Return URLs, what a page may navigate to, origins, internet addresses.
  case addresses
  /// What the five providers answer, and what the book makes of it.
  case answers
  /// Routes, bodies and cursors that callers send to the merchant server, and its answers.
  case bodies
  /// Command lines.
  case commands
  /// The configuration of the server and the data files that it names.
  case configuration
  /// Requests on a connection.
  case http
  /// JSON.
  case json
  /// What the device's store and files of worlds keep.
  case records
  /// Queries and forms, amounts, times, phone numbers, time zones, tables.
  case texts
  /// What the five providers deliver.
  case webhooks

  /// Puts an input through the target's claims.
  ///
  /// - Throws: ``BrokenClaim``; a trap says the same.
  public func check(_ input: [UInt8]) async throws(BrokenClaim) {
    switch self {
    case .addresses: try checkAddresses(input)
    case .answers: try await checkAnswers(input)
    case .bodies: try checkBodies(input)
    case .commands: try checkCommands(input)
    case .configuration: try checkConfiguration(input)
    case .http: try checkRequestStream(input)
    case .json: try checkJSON(input)
    case .records: try checkRecords(input)
    case .texts: try checkTexts(input)
    case .webhooks: try checkWebhooks(input)
    }
  }
}
