import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentModels
import StatusSync
import StrictJSON

extension MerchantServer {
  /// Compares one page of the providers' books with ours; the caller asks until there is no next.
  func reconcile(_ request: HTTPRequest) async throws -> HTTPResponse {
    let body = try ReconcileBody(json: try body(of: request))
    let cursor = try body.cursor.map { text throws(Problem) in
      guard let cursor = ReconcileCursor(text) else { throw Self.strangeCursor }
      return cursor
    }
    let since = environment.clock.now() - .seconds(body.sinceSeconds)
    do {
      let page = try await sync.reconcile(
        ReconcileRequest(since: since, applies: body.applies, cursor: cursor))
      return json(json(page, limits: cursor == nil ? sync.reconcileLimits() : []))
    } catch ReconcileError.cursor {
      throw Self.strangeCursor
    }
  }

  private static let strangeCursor = Problem(
    .invalidBody, "The cursor is none that this server gave out.", path: "cursor")

  private func json(_ page: ReconcilePage, limits: [ReconcileLimit]) -> JSONValue {
    .object([
      "payments": .integer(page.paymentCount),
      "examined": .integer(page.examined),
      "totals": .array(page.totals.map(\.json)),
      "differences": .array(page.findings.map(\.json)),
      "not_read": .array(page.notRead.map(\.json)),
      "learned": .array(page.learned.map(\.json)),
      "cannot_find": .array(limits.map(\.json)),
      "next_cursor": .optional(page.next?.description),
    ])
  }
}

extension ReconcilePage.Finding {
  fileprivate var json: JSONValue {
    .object([
      "kind": .string(difference.kind.rawValue),
      "provider": .string(difference.provider.rawValue),
      "account": .string(difference.account.rawValue),
      "payment_id": .optional(difference.paymentID?.rawValue),
      "provider_payment_id": .optional(difference.providerPaymentID?.rawValue),
      "booked": .string(difference.booked),
      "told": .string(difference.told),
      "amount": .optional(difference.amount?.decimal),
      "currency": .optional(difference.amount?.currency.code),
      "settled_by": .string(difference.settledBy.rawValue),
      "settled": .bool(isSettled),
    ])
  }
}

extension ReconcilePage.NotRead {
  fileprivate var json: JSONValue {
    .object([
      "provider": .string(provider.rawValue), "account": .string(account.rawValue),
      "payment_id": .optional(paymentID?.rawValue), "reason": .string(reason),
    ])
  }
}

extension ReconcilePage.Total {
  fileprivate var json: JSONValue {
    .object([
      "provider": .string(provider.rawValue), "account": .string(account.rawValue),
      "currency": .string(currency.code), "exponent": .integer(currency.exponent),
      "compared": .integer(compared),
      "captured": captured.json, "gone_back": goneBack.json,
    ])
  }
}

extension ReconcilePage.Sides {
  fileprivate var json: JSONValue {
    .object(["booked_minor_units": .integer(booked), "told_minor_units": .integer(told)])
  }
}

extension LearnedOutcome {
  fileprivate var json: JSONValue {
    .object([
      "provider": .string(provider.rawValue), "account": .string(account.rawValue),
      "outcome": .string(outcome), "channel": .string(channel.rawValue),
      "late_ms": late.map { .integer($0.wholeMilliseconds) } ?? .null,
    ])
  }
}

extension ReconcileLimit {
  fileprivate var json: JSONValue {
    .object([
      "provider": .string(provider.rawValue), "account": .string(account.rawValue),
      "cannot_find": .array(sentences.map { .string($0) }),
    ])
  }
}
