import MerchantAPI
import Testing

@testable import HTTPListener

@Suite("Pages of what HTTP refuses")
struct RefusalPageTests {
  @Test(arguments: Refusal.allCases)
  func `every refusal has a page where its type leads`(refusal: Refusal) throws {
    let page = try #require(ProblemPage(word: refusal.rawValue))
    #expect(page.status == refusal.status)
  }
}
