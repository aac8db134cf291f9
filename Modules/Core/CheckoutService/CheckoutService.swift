public import KitEnvironment
public import PaymentModels
public import PaymentStore
public import ProviderInterface

/// Creates checkouts and works captures, refunds, closes and cancels: load, decide, commit the
/// intent, call the provider, commit the result. Each step may be repeated after a kill.
public struct CheckoutService: Sendable {
  let store: any PaymentStore
  let providers: [any PaymentProvider]
  let orders: any OrderSource
  let buyers: any BuyerSource
  let settings: CheckoutSettings
  let environment: KitEnvironment
  let refresh: @Sendable (PaymentID) async -> Bool
  /// Calls of each account, in the order of `providers`: one that is slow holds up no other.
  private let creates: [SharedWork<PaymentID, Void>]
  private let operations: [SharedWork<OperationID, Void>]

  /// Composes a service.
  ///
  /// - Parameters:
  ///   - providers: one value an account; the first that takes an order's currency gets it.
  ///   - refresh: reads a payment at its provider; false if that brought nothing.
  public init(
    store: any PaymentStore, providers: [any PaymentProvider], orders: any OrderSource,
    buyers: any BuyerSource, settings: CheckoutSettings, environment: KitEnvironment,
    refresh: @escaping @Sendable (PaymentID) async -> Bool
  ) {
    self.store = store
    self.providers = providers
    self.orders = orders
    self.buyers = buyers
    self.settings = settings
    self.environment = environment
    self.refresh = refresh
    let create = CreateCall(
      store: store, providers: providers, settings: settings, environment: environment)
    // One at the least, for payments of accounts that are not configured any more.
    let lanes = 0..<max(1, providers.count)
    creates = lanes.map { _ in
      SharedWork(concurrencyMax: settings.callsMax, queueMax: settings.callQueueMax) {
        await create.perform($0)
      }
    }
    let operation = OperationCall(
      store: store, providers: providers, settings: settings, environment: environment)
    operations = lanes.map { _ in
      SharedWork(concurrencyMax: settings.callsMax, queueMax: settings.callQueueMax) {
        await operation.perform($0)
      }
    }
  }

  /// The providers that are configured, each once, in the order of the configuration.
  public var providerNames: [ProviderName] {
    providers.map(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The accounts that are configured, in the order of the configuration.
  public var accountKeys: [AccountKey] { providers.map { AccountKey($0.name, $0.account) } }

  /// Works until the task is cancelled: provider calls, and operations that are due.
  public func run() async {
    await withTaskGroup(of: Void.self) { group in
      for lane in creates { group.addTask { await lane.run() } }
      for lane in operations { group.addTask { await lane.run() } }
      group.addTask { await runOperations() }
    }
  }

  /// Takes up a create whose outcome is not known; does not wait for it.
  public func resumeCreate(_ id: PaymentID) async {
    do {
      guard let payment = try await store.read({ try $0.payment(id) }) else { return }
      await creates[lane(of: payment)].start(id)
    } catch {
      environment.log(
        .warning, "a create could not be looked up", ("payment_id", id.rawValue),
        ("error", "\(error)"))
    }
  }

  /// Works an operation and does not wait for it.
  func start(_ operation: OperationID, of payment: PaymentRow) async {
    await operations[lane(of: payment)].start(operation)
  }

  /// Which calls a payment's belong to.
  private func lane(of payment: PaymentRow) -> Int {
    providers.index(of: payment.provider, payment.account) ?? 0
  }

  /// Waits for the create of a payment, at most ``CheckoutSettings/createWait``; the call itself
  /// goes on behind.
  func awaitCreate(_ payment: PaymentRow) async {
    await awaitCall(payment.id, of: creates[lane(of: payment)])
  }

  /// Waits for an operation in the same way.
  func awaitOperation(_ id: OperationID, of payment: PaymentRow) async {
    await awaitCall(id, of: operations[lane(of: payment)])
  }

  private func awaitCall<Key>(_ key: Key, of work: SharedWork<Key, Void>) async {
    let clock = environment.clock
    let limit = settings.createWait
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await work.value(for: key) }
      group.addTask { try? await clock.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
  }

  /// The account that takes a new checkout: the first of the provider that takes the currency and
  /// is not paused. If all are, the first: an order may have a page there that can still be paid.
  func provider(
    _ name: ProviderName, for currency: Currency
  ) async throws(CheckoutError) -> any PaymentProvider {
    let pauses = try await stored { try await $0.read { try $0.pauses() } }
    let accounts = providers.filter { $0.name == name }
    guard !accounts.isEmpty else {
      let known = providerNames.map(\.rawValue).joined(separator: ", ")
      throw CheckoutError(
        .invalid, "This provider is not configured here. Configured: \(known).", path: "provider")
    }
    let takers = accounts.filter { $0.capabilities.currencies.contains(currency.code) }
    let open = takers.first { taker in
      !pauses.contains { $0.stops(AccountKey(taker.name, taker.account)) }
    }
    guard let account = open ?? takers.first else {
      let others = providerNames.filter { other in
        providers.contains {
          $0.name == other && $0.capabilities.currencies.contains(currency.code)
        }
      }
      let hint = others.map(\.rawValue).joined(separator: ", ")
      throw CheckoutError(
        .invalid,
        "No account at \(name) takes \(currency.code)."
          + (hint.isEmpty ? "" : " Providers that take it: \(hint)."), path: "provider")
    }
    return account
  }
}
