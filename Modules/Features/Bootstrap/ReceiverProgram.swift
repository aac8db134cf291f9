import FulfilmentOutbox
import HTTPExchange
import KitEnvironment
import MerchantCommands
import PaymentModels
import SQLiteConnection
import StrictJSON
import SystemRuntime

/// `till receive`: a sample of the shop's side of fulfilment, to run and to copy.
enum ReceiverProgram {
  static func run(
    _ options: ReceiverOptions, _ variables: [String: String], _ environment: KitEnvironment
  ) async throws -> Int32 {
    let source = SettingsSource(directory: ".", environment: variables)
    let secret = try source.secret(
      .object(["env": .string(options.secretVariable)]), path: "--secret",
      bytesMin: SettingsSource.ownSecretBytesMin)
    let book = try ReceivedBook(path: options.database)
    let receiver = MessageReceiver(secrets: [secret], environment: environment) { message in
      guard try await book.take(message) else { return }
      Output.write("\(message.type)  \(message.orderID)  \(message.id)\n")
    }
    let watch = try SignalWatch()
    defer { watch.close() }
    let service = try LiveService(
      address: "127.0.0.1", port: UInt16(clamping: options.port), grace: .seconds(2),
      handler: receiver, environment: environment)
    Output.write("till receive listening on \(service.url)\n")
    await service.run(stop: { await Program.untilStopped(watch) }, work: {})
    await book.close()
    Output.write("till receive stopped\n")
    return 0
  }
}

/// What the shop has done, in a database of its own. Taking a message and doing its work is one
/// transaction: a kill in between leaves neither or both.
actor ReceivedBook {
  private static let history = [
    SQLiteMigration(
      id: "0001-received",
      sql: """
        CREATE TABLE received (id TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
        CREATE TABLE deeds (
          number INTEGER NOT NULL PRIMARY KEY,
          order_id TEXT NOT NULL,
          type TEXT NOT NULL
        ) STRICT;
        """)
  ]

  private let database: SQLiteDatabase

  init(path: String) throws {
    database = try SQLiteDatabase(path: path)
    try database.migrate(Self.history)
  }

  /// Does a message's work unless it was done before. Returns whether it was new.
  func take(_ message: ReceivedMessage) throws -> Bool {
    try database.write {
      let isNew = try database.run(
        "INSERT INTO received (id) VALUES (?) ON CONFLICT DO NOTHING", [.text(message.id)])
      guard isNew == 1 else { return false }
      // Here a shop ships goods, or takes them back: in the same database, or by a queue in it.
      try database.run(
        "INSERT INTO deeds (order_id, type) VALUES (?, ?)",
        [.text(message.orderID), .text(message.type)])
      return true
    }
  }

  /// What was done for an order, in order.
  func deeds(of order: String) throws -> [String] {
    try database.all(
      "SELECT type FROM deeds WHERE order_id = ? ORDER BY number", [.text(order)]
    ) { (row) throws(SQLiteError) in try row.text() }
  }

  func close() { database.close() }
}
