import PaymentModels
import PaymentStore
import SQLiteConnection

/// One transaction, or one writer's part of a group commit, on a connection.
final class SQLiteTransaction: PaymentTransaction {
  private let database: SQLiteDatabase
  private let mayWrite: Bool
  private var isOpen = true
  /// Whether a savepoint stands before what the body has written so far.
  private var isMarked = false
  /// A statement that is put off to the end of the body.
  private var last: (sql: String, arguments: [SQLiteValue])?
  /// The error at which SQLite ended the transaction; nil while it is alive.
  private(set) var endedBy: StoreError?
  private var touchedOrders: Set<OrderID> = []
  private var touchedPayments: Set<PaymentID> = []
  private var orderOfPayment: [PaymentID: OrderID] = [:]

  init(_ database: SQLiteDatabase, mayWrite: Bool) {
    self.database = database
    self.mayWrite = mayWrite
  }

  /// Ends the transaction; whoever kept it past its body traps at the next use.
  func close() { isOpen = false }

  // MARK: Statements

  /// Runs a statement that writes and returns how many rows it changed.
  @discardableResult
  func write(_ sql: String, _ arguments: [SQLiteValue]) throws(StoreError) -> Int {
    guard mayWrite else { throw StoreError(.readOnly, "a read transaction writes nothing") }
    try runLast()
    try mark()
    do {
      return try database.run(sql, arguments)
    } catch {
      throw noted(error)
    }
  }

  /// Writes at the end of the body, or before its next statement if there is one: what is written
  /// last needs no savepoint, and SQLite no copy of each page that it changes.
  func writeLast(_ sql: String, _ arguments: [SQLiteValue]) throws(StoreError) {
    guard mayWrite else { throw StoreError(.readOnly, "a read transaction writes nothing") }
    try runLast()
    last = (sql, arguments)
  }

  /// Runs what was put off, as a write among others.
  private func runLast() throws(StoreError) {
    try requireAlive()
    guard let last else { return }
    self.last = nil
    try write(last.sql, last.arguments)
  }

  /// The first row of a query.
  func first<Row>(
    _ sql: String, _ arguments: [SQLiteValue] = [],
    _ decode: (inout SQLiteRow) throws(SQLiteError) -> Row
  ) throws(StoreError) -> Row? {
    try runLast()
    do {
      return try database.first(sql, arguments, decode)
    } catch {
      throw noted(error)
    }
  }

  /// All rows of a query.
  func all<Row>(
    _ sql: String, _ arguments: [SQLiteValue],
    _ decode: (inout SQLiteRow) throws(SQLiteError) -> Row
  ) throws(StoreError) -> [Row] {
    try runLast()
    do {
      return try database.all(sql, arguments, decode)
    } catch {
      throw noted(error)
    }
  }

  /// Runs several statements of which, in a body that catches the error and goes on, all or none
  /// stay.
  func atomically<Result>(_ body: () throws -> Result) throws -> Result {
    try runLast()
    try mark()
    do {
      return try database.savepoint(body)
    } catch let error as SQLiteError {
      throw noted(error)
    }
  }

  /// Runs the body of a caller, which is one of many in the transaction: if it throws, nothing of
  /// it stays.
  ///
  /// A savepoint is set before its first write. A body that writes nothing needs none, and none is
  /// needed before a single statement that ends it, which SQLite does wholly or not at all.
  func whole<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      let result = try body()
      try requireAlive()
      if let last {
        self.last = nil
        try database.run(last.sql, last.arguments)
      }
      if isMarked { try database.keepPart() }
      return result
    } catch {
      let failure: any Error = (error as? SQLiteError).map { noted($0) } ?? error
      last = nil
      do {
        if isMarked { try database.undoPart() }
      } catch {
        throw noted(error)
      }
      throw failure
    }
  }

  private func mark() throws(StoreError) {
    guard !isMarked else { return }
    do {
      try database.beginPart()
      isMarked = true
    } catch {
      throw noted(error)
    }
  }

  /// After some errors, such as a full disk, SQLite ends the whole transaction. A body that caught
  /// that error must not go on: each of its statements would be a transaction of its own.
  private func requireAlive() throws(StoreError) {
    precondition(isOpen, "a transaction was used after its body returned")
    if let endedBy { throw endedBy }
  }

  private func noted(_ error: SQLiteError) -> StoreError {
    let error = StoreError(error)
    if !database.isInTransaction { endedBy = error }
    return error
  }

  /// A limit as SQLite takes it, where a negative one would mean none.
  func bound(_ limit: Int) -> SQLiteValue {
    precondition(limit >= 0, "a limit is not negative")
    return .count(limit)
  }

  // MARK: What was touched

  var touched: (orders: Set<OrderID>, payments: Set<PaymentID>) { (touchedOrders, touchedPayments) }

  /// Called when the body threw: what it touched is as it was.
  func forgetTouched() { (touchedOrders, touchedPayments) = ([], []) }

  func touch(_ order: OrderID) { touchedOrders.insert(order) }

  func touch(_ payment: PaymentID, of order: OrderID) {
    orderOfPayment[payment] = order
    touchedPayments.insert(payment)
    touchedOrders.insert(order)
  }

  func touch(_ payment: PaymentID) throws(StoreError) {
    if let order = orderOfPayment[payment] { return touch(payment, of: order) }
    let order = try first("SELECT order_id FROM payments WHERE id = ?", [.id(payment)]) {
      (row) throws(SQLiteError) -> OrderID in try row.id()
    }
    if let order { touch(payment, of: order) }
  }
}
