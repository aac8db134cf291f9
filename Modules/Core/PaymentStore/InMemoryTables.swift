import PaymentModels

/// All rows of an in-memory store, as one value.
struct InMemoryTables {
  struct ProviderKey: Hashable {
    let provider: ProviderName
    let id: ProviderPaymentID
  }

  struct ItemKey: Hashable, Comparable {
    let kind: PaymentItem.Kind
    let providerItemID: String

    static func < (left: Self, right: Self) -> Bool {
      (left.kind.rawValue, left.providerItemID) < (right.kind.rawValue, right.providerItemID)
    }
  }

  struct StoredItem {
    var item: PaymentItem
    /// When it was first known.
    var learnedAt: Instant?
  }

  struct IdempotencyKey: Hashable {
    let scope: String
    let key: String
  }

  var orders: [OrderID: OrderRow] = [:]
  var payments: [PaymentID: PaymentRow] = [:]
  /// Which payment a provider's id belongs to.
  var owners: [ProviderKey: PaymentID] = [:]
  /// A payment's provider ids, oldest first.
  var providerIDs: [PaymentID: [ProviderPaymentID]] = [:]
  var items: [PaymentID: [ItemKey: StoredItem]] = [:]
  var operations: [OperationID: OperationRow] = [:]
  var webhooks: [WebhookID: WebhookRow] = [:]
  var messages: [MessageID: MessageRow] = [:]
  var journal: [JournalEntry] = []
  var idempotency: [IdempotencyKey: IdempotencyRow] = [:]
  var reviews: [ReviewRow] = []
  var probedAt: Instant?
  var pauses: [PauseRow] = []
}
