import KitEnvironment
import MerchantCommands
import PaymentModels
import ProviderInterface
import StrictJSON
import SystemRuntime
import TestSupport
import Testing

@testable import Bootstrap

@Suite("The matrix of what providers can do")
struct ProviderMatrixTests {
  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/") + "/Docs/Providers"
  private let providers: [any PaymentProvider]

  init() throws {
    providers = try ServerConfiguration.demoProviders(environment: .test(ManualClock()))
  }

  @Test func `the page in Docs is what the providers say now`() throws {
    let file = "\(Self.folder)/README.md"
    let page = String(decoding: try Files.read(file, bytesMax: 1 << 20), as: UTF8.self)
    let start = try #require(page.firstRange(of: "<!-- matrix -->\n")).upperBound
    let end = try #require(page[start...].firstRange(of: "<!-- end -->")).lowerBound
    let table = ProviderMatrix(providers).text(.markdown)
    if ProcessFacts.environment()["TILL_WRITE_DOCS"] != nil {
      try Files.replace(file, with: Array((page[..<start] + table + page[end...]).utf8))
    } else {
      #expect(page[start..<end] == table, "Docs/Providers/README.md is out of date: run make docs")
    }
  }

  @Test func `every provider stands there once, with a page of its own`() throws {
    let names = providers.map(\.name.rawValue)
    #expect(Set(names).count == names.count)
    for name in names {
      #expect(throws: Never.self) {
        try Files.read("\(Self.folder)/\(name).md", bytesMax: 1 << 20)
      }
    }
  }

  @Test func `who says that webhooks are registered by API has that API`() {
    for provider in providers {
      switch provider.capabilities.webhookSetup {
      case .api(let webhooksMax):
        #expect((provider as? any WebhookRegistering)?.webhooksMax == webhooksMax)
      case .byHand(let place):
        #expect(!(provider is any WebhookRegistering), "\(provider.name)")
        #expect(!place.isEmpty)
      }
    }
  }

  @Test func `who says that payments are listed has that API, and nobody else`() {
    for provider in providers {
      let lists = provider.capabilities.listing != .none
      #expect(lists == (provider is any PaymentListing), "\(provider.name)")
    }
  }

  @Test func `table and document tell the same facts`() throws {
    let matrix = ProviderMatrix(providers)
    let lines = matrix.text(.table).split(separator: "\n")
    let json = try JSONValue(parsing: Array(matrix.text(.json).utf8))
    let documents = json["providers"]?.elements ?? []
    #expect(documents.map { $0["provider"]?.text } == providers.map(\.name.rawValue))
    // One member is the provider's name, one line holds the names; indented lines go on.
    let rows = lines.filter { !$0.hasPrefix(" ") }.count + 1
    #expect(documents.allSatisfy { $0.members?.count == rows })
    let tabby = try #require(documents.first { $0["provider"]?.text == "tabby" })
    #expect(tabby["paid_proofs"] == .array(["read"]))
    #expect(tabby["signed_body_proves"] == .array([]))
    #expect(tabby["webhook_setup"]?["webhooks_max"]?.int64 == 4)
    #expect(tabby["presentation"]?["ios"]?.text == "system_browser")
    let paid = try #require(lines.first { $0.hasPrefix("paid is proven by") })
    #expect(paid.split(separator: "  ").first.map(String.init) == "paid is proven by")
  }

  @Test func `every column begins at one place`() {
    let lines = ProviderMatrix(providers).text(.table).split(separator: "\n").map(Array.init)
    let starts = lines[0].indices.filter { index in
      index > 0 && lines[0][index] != " " && lines[0][index - 1] == " "
    }
    #expect(starts.count == providers.count)
    for line in lines {
      for start in starts where start < line.count { #expect(line[start - 1] == " ") }
      if line[0] != " " { #expect(starts.allSatisfy { line[$0] != " " }) }
    }
  }

  @Test(arguments: [60, 80, 120, 200]) func `the table fits the terminal`(columns: Int) {
    let matrix = ProviderMatrix(providers)
    let lines = matrix.text(.table, columnsMax: columns).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= columns })
    for provider in providers {
      let name = provider.name.rawValue
      #expect(lines.filter { $0.split(separator: " ").contains { $0 == name } }.count == 1)
    }
  }

  @Test func `where nothing limits it, all providers stand beside one another`() {
    let matrix = ProviderMatrix(providers)
    #expect(matrix.text(.table) == matrix.text(.table, columnsMax: 1_000))
  }
}
