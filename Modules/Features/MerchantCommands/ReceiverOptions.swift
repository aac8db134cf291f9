import CommandLineParser

/// How `till receive` is to run.
public struct ReceiverOptions: Hashable, Sendable {
  /// Port on 127.0.0.1; 0 lets the system choose.
  public var port: Int
  /// The file that keeps which messages were taken.
  public var database: String
  /// Name of the variable that holds the secret.
  public var secretVariable: String

  /// Builds options.
  public init(port: Int, database: String, secretVariable: String) {
    self.port = port
    self.database = database
    self.secretVariable = secretVariable
  }
}

let receiveCommand = Command<TillAction>(
  "receive", "Takes fulfilment messages as a shop would, each once",
  discussion: """
    A sample of what stands behind the server's fulfilment.url: it checks the signature, notes the \
    message's id and does its work in one transaction, and answers 204. A message that comes again \
    does nothing. One line is printed for each that was new.
    """,
  options: [
    .option("database", "FILE", "Keeps which messages were taken", count: .required),
    .option(
      "secret", "VARIABLE", "The variable that holds the secret of the server's settings",
      default: "TILL_FULFILMENT_SECRET"),
    .option(
      "port", "PORT", "Port on 127.0.0.1; 0 lets the system choose", kind: .integer(0...65_535),
      default: "4020"),
  ]
) {
  .receive(
    ReceiverOptions(
      port: $0.integer("port") ?? 4_020, database: $0.required("database"),
      secretVariable: $0.required("secret")))
}
