import MerchantAPI
import Testing

@Suite("Pages of problems")
struct ProblemPageTests {
  @Test(arguments: Problem.Code.allCases)
  func `every problem has a page where its type leads`(code: Problem.Code) throws {
    let page = try #require(ProblemPage(word: code.rawValue))
    #expect(page.status == code.status)
    #expect(Route.match(method: "GET", path: page.path) == .route(.problemPage(code.rawValue)))
  }

  @Test func `no two problems share a page, and each page says what to do`() {
    #expect(Set(ProblemPage.all.map(\.word)).count == ProblemPage.all.count)
    for page in ProblemPage.all {
      #expect((400...599).contains(page.status))
      #expect(page.meaning.hasSuffix(".") && page.remedy.hasSuffix("."), "\(page.word)")
    }
    #expect(ProblemPage(word: "nothing") == nil)
  }
}
