import SystemRuntime
import TestSupport
import Testing

@Suite("Scripts/check-planted")
struct SuiteOutputTests {
  private func check(_ text: String) async throws -> Finished {
    try await withTemporaryDirectory { directory in
      try Files.replace("\(directory)/out", with: Array(text.utf8))
      let script =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/") + "/Scripts/check-planted"
      return try await finish("/bin/bash", [script, "\(directory)/out"])
    }
  }

  @Test func `what the tests plant is found in an output, and not shown again`() async throws {
    let cards = PlantedBuy.all.flatMap(\.typed).filter { $0.count == 16 }
    for word in PlantedStack.buyerWords + cards + ["sk_test_5up3r-s3cret"] {
      let ran = try await check("first line\nbefore \(word) behind\nlast\n")
      #expect(ran.end == .exited(1))
      #expect(ran.lines.count == 1)
      #expect(ran.lines.first?.hasSuffix("lines 2 ") == true)
      #expect(ran.lines.first?.contains(word) == false)
    }
  }

  @Test func `an output without them passes, and one that is not there does not`() async throws {
    #expect(try await check("passed after 3 seconds\n").end == .exited(0))
    // The runner's own line about what a test plants.
    let word = PlantedStack.buyerWords[0]
    let told = "◇ Test case passing 1 argument word → \"\(word)\" to \"it\" started.\n"
    #expect(try await check(told).end == .exited(0))
    #expect(try await check("\(told)\(word)\n").end == .exited(1))
    let script =
      #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
      .joined(separator: "/") + "/Scripts/check-planted"
    #expect(try await finish("/bin/bash", [script, "/nowhere/at-all"]).end == .exited(2))
  }
}
