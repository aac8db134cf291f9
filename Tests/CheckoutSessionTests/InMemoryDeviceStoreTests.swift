import CheckoutSession
import TestSupport
import Testing

@Suite("InMemoryDeviceStore")
struct InMemoryDeviceStoreTests {
  @Test(arguments: DeviceStoreContract.parts.indices)
  func `the store keeps the contract`(part: Int) async throws {
    let (name, check) = DeviceStoreContract.parts[part]
    #expect(try await check(InMemoryDeviceStore()) == [], "\(name)")
  }
}
