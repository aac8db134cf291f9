import AppSimulator
import PaymentModels
import PaymentStore
import SQLitePaymentStore

/// The stage as a load sees it.
extension LiveStage {
  /// With one server, or with a second one over the same store.
  func loadStage(servers count: Int) async throws -> LoadStage {
    var servers = [serverURL]
    if count > 1 { servers.append(try await startNeighbour()) }
    return LoadStage(
      sandbox: sandboxURL, servers: servers, transport: transport, environment: environment,
      appToken: shop.token(.approved), operatorKey: shop.operatorKey,
      webhookHeader: (DemoShop.webhookHeader, shop.webhookSecret),
      end: {
        await self.killServers()
        var store = try StoreExamination.read(self.shop.database) { try LoadStore(reading: $0) }
        store.log = await self.serverLog()
        return store
      })
  }
}

extension LoadStore {
  private static let pageMax = 500

  fileprivate init(reading transaction: any PaymentTransaction) throws {
    self.init()
    var payments = try transaction.payments(before: nil, limit: Self.pageMax)
    while let last = payments.last {
      for payment in payments {
        self.payments[payment.id.rawValue] = payment.orderID.rawValue
        for operation in try transaction.operations(of: payment.id)
        where operation.kind == .refund {
          refunds[operation.id.rawValue] = payment.id.rawValue
        }
      }
      payments = try transaction.payments(before: last.id, limit: Self.pageMax)
    }
    var webhooks = try transaction.webhooks(
      in: nil, at: nil, before: nil, limit: Self.pageMax)
    while let last = webhooks.last {
      for webhook in webhooks {
        deliveries[webhook.bodyHash, default: 0] += Int(webhook.deliveries)
      }
      webhooks = try transaction.webhooks(
        in: nil, at: nil, before: last.id, limit: Self.pageMax)
    }
  }
}
