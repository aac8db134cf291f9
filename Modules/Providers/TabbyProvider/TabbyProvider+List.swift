public import PaymentModels
public import ProviderInterface
import HTTPExchange
import StrictJSON

/// Which payments to list.
public struct TabbyListQuery: Hashable, Sendable {
  /// The words that Tabby filters by: three of its own states, and those of its dashboard.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// Money is held.
    case authorized
    /// Closed, captured or not.
    case closed
    /// Refused by Tabby.
    case rejected
    /// Dashboard: authorized, not fully captured.
    case new
    /// Dashboard: closed with captures.
    case captured
    /// Dashboard: closed and refunded.
    case refunded
    /// Dashboard: closed without captures.
    case cancelled
  }

  /// Tabby gives at most so many at once.
  public static let limitMax = 20

  /// Made on this day (UTC) or later. Tabby looks at the date alone.
  public var createdFrom: Instant?
  /// Made before the first moment of this day: a query "until today" leaves today out.
  public var createdTo: Instant?
  /// In this state; if nil, authorized and closed ones.
  public var status: Status?
  /// How many, 1 to ``limitMax``.
  public var limit: Int
  /// How many to skip.
  public var offset: Int

  /// A query for the newest payments, unless told.
  public init(
    createdFrom: Instant? = nil, createdTo: Instant? = nil, status: Status? = nil,
    limit: Int = TabbyListQuery.limitMax, offset: Int = 0
  ) {
    precondition((1...Self.limitMax).contains(limit) && offset >= 0, "page out of range")
    self.createdFrom = createdFrom
    self.createdTo = createdTo
    self.status = status
    self.limit = limit
    self.offset = offset
  }

  var target: String {
    let pairs: [(name: String, value: String?)] = [
      ("created_at__gte", createdFrom.map { String($0.description.prefix(10)) }),
      ("created_at__lte", createdTo.map { String($0.description.prefix(10)) }),
      ("status", status?.rawValue), ("limit", String(limit)), ("offset", String(offset)),
    ]
    return pairs.reduce("/api/v2/payments") { target, pair in
      pair.value.map { QueryText.append(pair.name, $0, to: target) } ?? target
    }
  }
}

/// One page of payments, newest first.
public struct TabbyPaymentPage: Hashable, Sendable {
  /// Those that could be read.
  public var readings: [PaymentReading]
  /// How many could not: one odd payment does not hide the others.
  public var unreadableCount: Int
  /// How many there are on all pages, if Tabby says so.
  public var totalCount: Int64?
}

extension TabbyProvider {
  /// Lists payments, for comparing Tabby's books with ours. It finds no lost creates: those
  /// that nobody has paid are not listed.
  ///
  /// - Throws: ``ProviderError``.
  public func list(_ query: TabbyListQuery) async throws(ProviderError) -> TabbyPaymentPage {
    let json = try await api.send("GET", query.target)
    let payments = try api.check.map { () throws(JSONPathError) in
      try json.elements(at: "payments")
    }
    let readings = payments.compactMap { try? PaymentAnswer(json: $0).reading() }
    return TabbyPaymentPage(
      readings: readings, unreadableCount: payments.count - readings.count,
      totalCount: json["pagination"]?["total_count"]?.int64)
  }

  /// Gives an authorized or closed payment another order reference; nothing else changes.
  ///
  /// - Throws: ``ProviderError``.
  public func updateOrderReference(
    of id: ProviderPaymentID, to orderID: OrderID
  ) async throws(ProviderError) -> PaymentReading {
    let body = JSONValue.object([
      "order": .object(["reference_id": .string(orderID.rawValue)])
    ])
    return try await paymentCall("PUT", id, body: body.serialized())
  }
}

extension TabbyProvider: PaymentListing {
  /// More payments than a comparison asks about; a list that seems to go on is one that does not
  /// heed the offset, and would never end.
  public static let listedMax = 100_000

  /// Authorized and closed payments, newest first; the day of `since` is listed as a whole.
  ///
  /// - Throws: ``ProviderError``, of kind `refused` beyond ``listedMax``.
  public func payments(
    since: Instant, cursor: String?
  ) async throws(ProviderError) -> PaymentPage {
    guard let offset = cursor.map({ Int($0) }) ?? 0, offset >= 0 else {
      throw ProviderError(.refused, detail: "the cursor is none of Tabby's; nothing was sent")
    }
    guard offset < Self.listedMax else {
      throw ProviderError(
        .refused, detail: "it does not end after \(Self.listedMax) payments; nothing was sent")
    }
    let page = try await list(TabbyListQuery(createdFrom: since, offset: offset))
    let isFull = page.readings.count + page.unreadableCount == TabbyListQuery.limitMax
    return PaymentPage(
      readings: page.readings, unreadableCount: page.unreadableCount,
      next: isFull ? String(offset + TabbyListQuery.limitMax) : nil)
  }
}
