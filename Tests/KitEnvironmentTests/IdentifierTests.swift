@testable import KitEnvironment
import PaymentModels
import TestSupport
import Testing

@Suite("New ids")
struct IdentifierTests {
  @Test(
    arguments: [
      (0, 0, 0, "00000000-0000-7000-8000-000000000000"),
      (0, .max, .max, "00000000-0000-7fff-bfff-ffffffffffff"),
      // The example of RFC 9562, appendix A.6.
      (1_645_557_742_000, 0xCC3, 0x18C4_DC0C_0C07_398F, "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"),
      (0xFFFF_FFFF_FFFF, 0, 0, "ffffffff-ffff-7000-8000-000000000000"),
      (-5, 0, 0, "00000000-0000-7000-8000-000000000000"),
    ] as [(Int64, UInt64, UInt64, String)])
  func `an id is a UUID of version 7`(
    milliseconds: Int64, first: UInt64, second: UInt64, text: String
  ) {
    let id = makeUUIDv7(at: Instant(milliseconds: milliseconds), random: (first, second))
    #expect(id == text)
    #expect(isCanonicalUUID(id))
  }

  @Test func `later ids sort after earlier ones`() {
    let clock = ManualClock()
    let environment = KitEnvironment.test(clock)
    let ids = (0..<1_000).map { _ in
      clock.advance(by: .milliseconds(1))
      return environment.newUUID()
    }
    #expect(ids == ids.sorted() && ids.allSatisfy(isCanonicalUUID))
  }

  @Test func `ids of one millisecond differ`() {
    let environment = KitEnvironment.test(ManualClock())
    #expect(Set((0..<10_000).map { _ in environment.newUUID() }).count == 10_000)
  }

  @Test func `bytes are written as hexadecimal digits`() {
    #expect(hexText([]) == "")
    #expect(hexText([0x00, 0x0F, 0xA5, 0xFF]) == "000fa5ff")
  }
}
