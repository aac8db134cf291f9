import CommandLineParser
import MerchantCommands
import Testing

@Suite("The command line of till init")
struct InitCommandTests {
  @Test(arguments: [
    (
      "--providers tabby,seb",
      ShopDraftOptions(providers: ["tabby", "seb"], directory: ".", replaces: false)
    ),
    (
      "--providers futa --directory shop --sandbox http://127.0.0.1:4010 --force",
      ShopDraftOptions(
        providers: ["futa"], directory: "shop", sandbox: "http://127.0.0.1:4010", replaces: true)
    ),
    (
      "--providers futa --sandbox http://127.0.0.1:4010/",
      ShopDraftOptions(
        providers: ["futa"], directory: ".", sandbox: "http://127.0.0.1:4010", replaces: false)
    ),
  ])
  func `it takes providers, a place, sandboxes and force`(line: String, options: ShopDraftOptions) {
    guard case .run(let action) = parse(line) else {
      Issue.record("\(line) is not understood")
      return
    }
    #expect(action == .draft(options))
  }

  @Test(arguments: [
    "", "--providers", "--providers tabby,,seb", "--providers tabby,tabby", "--providers Tabby",
    "--providers tabby;ls", "--providers ,", "--providers tabby --sandbox file:///etc",
    "--providers tabby seb", "--providers tabby --directory",
    "--providers tabby --directory=",
  ])
  func `what is odd is refused`(line: String) {
    guard case .refused = parse(line) else {
      Issue.record("\(line) is understood")
      return
    }
  }

  private func parse(_ line: String) -> CommandOutcome<TillAction> {
    tillCommand.parse(["init"] + line.split(separator: " ").map(String.init))
  }
}
