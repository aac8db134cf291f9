import PaymentModels

/// What operators decide beside orders.
extension InMemoryTransaction {
  func pauses() throws -> [PauseRow] {
    requireOpen()
    return tables.pauses.sorted {
      ($0.provider, $0.account?.rawValue ?? "") < ($1.provider, $1.account?.rawValue ?? "")
    }
  }

  func putPause(_ pause: PauseRow) throws {
    try change { tables in
      tables.pauses.removeAll {
        $0.provider == pause.provider && $0.account == pause.account
      }
      tables.pauses.append(pause)
    }
  }

  func removePause(_ provider: ProviderName, _ account: ProviderAccount?) throws -> Bool {
    let before = tables.pauses.count
    try change { tables in
      tables.pauses.removeAll { $0.provider == provider && $0.account == account }
    }
    return tables.pauses.count < before
  }

  func eraseBuyer(_ subject: Subject, at now: Instant) throws -> ErasedBuyer {
    requireOpen()
    let orders = tables.orders.values.filter { $0.subject == subject }.map(\.id).sorted()
    let payments = tables.payments.values.filter { orders.contains($0.orderID) }
    var erased = ErasedBuyer(orders: orders)
    try change { tables in
      for payment in payments {
        tables.erase(payment, &erased)
        let ids = tables.providerIDs[payment.id] ?? []
        for webhook in tables.webhooks.values
        where webhook.bodyErasedAt == nil && webhook.provider == payment.provider
          && (webhook.paymentReference == payment.id
            || webhook.providerPaymentID.map(ids.contains) ?? false)
        {
          if webhook.state == .received {
            erased.waiting += 1
          } else {
            tables.webhooks[webhook.id]?.eraseBody(at: now)
            erased.bodies += 1
          }
        }
      }
    }
    return erased
  }
}

extension InMemoryTables {
  fileprivate mutating func erase(_ payment: PaymentRow, _ erased: inout ErasedBuyer) {
    if payment.createState == .intent {
      erased.waiting += 1
      return
    }
    if !payment.createRequest.isEmpty {
      payments[payment.id]?.createRequest = []
      erased.requests += 1
    }
    let isOver = payment.status == .captured || payment.status.isFinalUnpaid
    if isOver, payment.checkoutURL != nil || payment.verificationKey != nil {
      payments[payment.id]?.checkoutURL = nil
      payments[payment.id]?.verificationKey = nil
      erased.pages += 1
    }
  }
}
