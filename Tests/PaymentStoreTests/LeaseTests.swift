import PaymentModels
import PaymentStore
import Testing

@Suite("A lease keeps other processes away")
struct LeaseTests {
  private static let lease = Duration.seconds(20)

  @Test(
    arguments: [
      (nil, false), (-1, false), (0, false), (1, true), (20_000, true),
      // The other process read its clock a moment later than this one.
      (20_001, true), (20_500, true), (40_000, true),
      // From before the clock was set back.
      (40_001, false), (86_400_000, false),
    ] as [(Int64?, Bool)])
  func `from its start to its end, and not beyond any that could have begun`(
    endsInMs: Int64?, isHeld: Bool
  ) {
    let now = Instant(milliseconds: 1_790_000_000_000)
    var schedule = ReadSchedule(nextReadAt: nil)
    schedule.leaseUntil = endsInMs.map { now + .milliseconds($0) }
    #expect(schedule.isLeased(at: now, lease: Self.lease) == isHeld)
  }
}
