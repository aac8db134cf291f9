import PaymentStore
import SQLiteConnection

extension StoreError {
  /// What the caller of the store may do about an error of SQLite. No value of a row is in either.
  init(_ error: SQLiteError) {
    let kind: Kind =
      switch error.kind {
      case .busy: .busy
      case .full: .full
      case .readOnly: .readOnly
      case .duplicate: .duplicate
      case .constraint: .constraint
      case .unreachable, .damaged, .newer, .fault: .unusable
      }
    self.init(kind, error.description)
  }
}
