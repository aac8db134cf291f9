public import CheckoutLifecycle
public import CheckoutSession
import PaymentModels

/// What every device store must do. Each function runs one part on an empty store and returns
/// what it found wrong.
public enum DeviceStoreContract {
  /// A part of the contract under its name.
  public typealias Part = (
    name: String, check: @Sendable (any DeviceStore) async throws -> [String]
  )

  /// All parts.
  public static let parts: [Part] = [
    ("a saved record comes back as it was", savedComesBack),
    ("a save takes the place of the earlier one", saveReplaces),
    ("all are listed in the order of their keys", listedByKey),
    ("a removed record is gone, others stay", removeForgets),
    ("an unknown key is no error", unknownKey),
  ]

  private static func savedComesBack(_ store: any DeviceStore) async throws -> [String] {
    var violations: [String] = []
    for record in sampleCheckoutRecords() {
      try await store.save(record)
      if try await store.load(record.key) != record {
        violations.append("\(record.key) came back changed")
      }
    }
    if try await store.all() != sampleCheckoutRecords() { violations.append("all() differs") }
    return violations
  }

  private static func saveReplaces(_ store: any DeviceStore) async throws -> [String] {
    var record = sampleCheckoutRecords()[2]
    try await store.save(record)
    record.revision += 1
    record.stage = .settled
    record.outcome = .failed(.expired)
    record.payment?.checkoutURL = nil
    try await store.save(record)
    let isReplaced = try await store.load(record.key) == record
    let count = try await store.all().count
    return (isReplaced ? [] : ["the earlier save was read"])
      + (count == 1 ? [] : ["\(count) rows instead of 1"])
  }

  private static func listedByKey(_ store: any DeviceStore) async throws -> [String] {
    for record in sampleCheckoutRecords().reversed() { try await store.save(record) }
    let keys = try await store.all().map(\.key)
    return keys == sampleCheckoutRecords().map(\.key) ? [] : ["order was \(keys)"]
  }

  private static func removeForgets(_ store: any DeviceStore) async throws -> [String] {
    let records = sampleCheckoutRecords()
    for record in records { try await store.save(record) }
    try await store.remove(records[1].key)
    let isGone = try await store.load(records[1].key) == nil
    let rest = try await store.all()
    return (isGone ? [] : ["still there"])
      + (rest == [records[0]] + records[2...] ? [] : ["others changed"])
  }

  private static func unknownKey(_ store: any DeviceStore) async throws -> [String] {
    let key = CheckoutKey("0199aaaa-0000-7000-8000-0000000000ff")
    try await store.remove(key)
    let isAbsent = try await store.load(key) == nil
    let isEmpty = try await store.all().isEmpty
    return isAbsent && isEmpty ? [] : ["an unknown key was found"]
  }
}

/// One record of each stage and shape, in the order of their keys, with awkward texts.
public func sampleCheckoutRecords() -> [CheckoutRecord] {
  let items = CheckoutRequest(
    provider: .tabby,
    purchase: .items([
      CheckoutRequest.Item(productID: "mug", quantity: 2),
      CheckoutRequest.Item(productID: "a,b*c=%\u{1}قهوة 'x'", quantity: 1_000),
    ]))
  let order = CheckoutRequest(
    provider: .tabby, purchase: .order(OrderID("0199bbbb-0000-7000-8000-000000000001")))
  let stages = CheckoutRecord.Stage.allCases
  return stages.enumerated().map { index, stage in
    var record = CheckoutRecord(
      key: CheckoutKey("0199aaaa-0000-7000-8000-00000000000\(index)"),
      request: index.isMultiple(of: 2) ? items : order,
      strategy: index.isMultiple(of: 2) ? .systemBrowser : .webView,
      createdAt: Instant(milliseconds: 1_790_000_000_000 + Int64(index)))
    record.stage = stage
    record.revision = Int64(index) + 1
    guard stage != .intent else { return record }
    record.payment = CheckoutPayment(
      paymentID: PaymentID("0199cccc-0000-7000-8000-00000000000\(index)"),
      orderID: OrderID("0199bbbb-0000-7000-8000-000000000001"),
      providerPaymentID: stage == .created ? nil : ProviderPaymentID("pay'\"; --\u{1F600}"),
      checkoutURL: stage == .settled ? nil : "https://checkout.example/?s=\(index)&x=%20#f",
      returnURLs: ReturnURLs(
        success: "myapp://pay/success?a=1", cancel: "myapp://pay/cancel",
        failure: "https://shop.example/pay/failure"),
      verificationKey: stage == .created ? Secret("vk-\u{1F511} 1") : nil)
    if stage == .settled {
      record.outcome = .succeeded
      record.settledAt = Instant(milliseconds: 1_790_000_060_000)
    }
    return record
  }
}
