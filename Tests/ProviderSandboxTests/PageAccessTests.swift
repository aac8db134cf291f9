import Foundation
import HTTPExchange
import TestSupport
import Testing

@testable import ProviderSandbox

/// Every page of every fake provider can be read and used by everybody: by ear, by keyboard, by
/// eyes that need contrast.
@Suite("Pages for everybody")
struct PageAccessTests {
  @Test(arguments: ["tabby", "tabby in Arabic", "futa", "rais", "tebex", "seb"])
  func `a page has a language, a title, one heading and a name for each field`(
    _ walk: String
  ) async {
    let pages = await Self.pages(walk)
    #expect(pages.count >= 8)
    for page in pages {
      #expect(page.matches(of: /<html lang="[a-z]{2}" dir="(ltr|rtl)">/).count == 1)
      #expect(page.contains("width=device-width, initial-scale=1\""))
      #expect(!(page.components(between: "<title>", "<").first ?? "").isEmpty)
      #expect(page.matches(of: /<h1>[^<]+<\/h1>/).count == 1)
      #expect(page.matches(of: /<main[ >]/).count == 1)
      let ids = page.matches(of: /\sid="([^"]+)"/).map { $0.1 }
      #expect(Set(ids).count == ids.count, "\(ids)")
      for input in page.components(between: "<input", ">") {
        expectName(of: input, in: page)
      }
      for button in page.matches(of: /<button[^>]*>(.*?)<\/button>/) {
        #expect(!button.1.isEmpty)
      }
      #expect(page.matches(of: /class="sign[^>]*>/).allSatisfy { $0.0.contains("aria-hidden") })
    }
  }

  @Test(arguments: [("tabby", "phone"), ("futa", "msisdn"), ("rais", "card_number")])
  func `a field says what is wrong with it`(_ walk: String, _ field: String) async throws {
    let browser = try #require(await Self.browser(walk))
    var wrong = browser
    await wrong.submit([field: "1"])
    #expect(wrong.status == 422)
    let input = try #require(
      wrong.page.components(between: "<input", ">").first { $0.contains(#"id="\#(field)""#) })
    #expect(input.contains(#"aria-invalid="true" aria-describedby="notice""#))
    #expect(wrong.page.contains(#"id="notice" role="alert">"#))
    #expect(!browser.page.contains("aria-invalid"))
  }

  @Test(arguments: [("light", ""), ("light", ".bank"), ("dark", ""), ("dark", ".bank")])
  func `text, fields and focus stand out from what is behind them`(
    scheme: String, place: String
  ) throws {
    let colors = try Palette(PageStyle.sheet, isDark: scheme == "dark", place: place)
    for (front, back) in [
      ("ink", "bg"), ("ink", "card"), ("ink", "tint"), ("soft", "bg"), ("soft", "card"),
      ("soft", "tint"), ("on", "accent"), ("bad", "badtint"),
    ] {
      #expect(try colors.contrast(front, back) >= 4.5, "\(front) on \(back)")
    }
    // Edges and large signs need less (WCAG 2.2, 1.4.3 and 1.4.11).
    for (front, back) in [
      ("edge", "bg"), ("edge", "card"), ("accent", "bg"), ("accent", "card"), ("accent", "tint"),
    ] {
      #expect(try colors.contrast(front, back) >= 3, "\(front) on \(back)")
    }
  }

  @Test func `focus is always shown`() {
    #expect(PageStyle.sheet.contains(":focus-visible{outline:3px solid"))
    #expect(!PageStyle.sheet.contains("outline:0") && !PageStyle.sheet.contains("outline:none"))
  }

  private func expectName(of input: String, in page: String) {
    guard !input.contains(#"type="hidden""#) else { return }
    let id = input.components(between: " id=\"", "\"").first
    // A radio button stands inside its label.
    let isWrapped = page.contains("<label class=\"way\"><input\(input)>")
    #expect(isWrapped || id.map { page.contains("<label for=\"\($0)\">") } == true, "\(input)")
  }

  // MARK: Walks

  /// A browser at the first page of a provider.
  private static func browser(_ walk: String) async -> Browser? {
    switch walk {
    case "futa":
      let futa = FutaHarness()
      var browser = futa.browser()
      await browser.open("/pay/\(await futa.created())")
      return browser
    case "rais":
      let rais = RaisHarness()
      return await rais.browser(at: await rais.created())
    case "tebex":
      let tebex = TebexHarness { $0.taxBasisPoints = 825 }
      return await tebex.browser(at: await tebex.created())
    case "seb":
      let seb = SEBHarness()
      return await seb.browser(at: await seb.created())
    default:
      let tabby = SandboxHarness()
      let language = walk == "tabby" ? "en" : "ar"
      var browser = Browser(tabby.sandbox)
      await browser.open(
        await tabby.create(Checkout(email: "id.success@tabby.ai", language: language)).webURL)
      return browser
    }
  }

  private static func sebPages(_ first: Browser) async -> [String] {
    var browser = first
    var pages = [browser.page]
    func note() { pages.append(browser.page) }
    await browser.follow("card")
    note()
    for values in [
      ["card_number": "1"], ["card_number": "5186000000000005"], ["otp": "1"],
    ] {
      await browser.submit(values)
      note()
    }
    await browser.open(browser.page.components(between: "action=\"", "/secure").first ?? "")
    await browser.follow("bank")
    note()
    for form in [0, 1] {
      await browser.submit(form: form)
      note()
    }
    await browser.follow("click-to-pay")
    note()
    for email in ["1", "payer@shop.example"] {
      await browser.submit(["email": email])
      note()
    }
    await browser.open("/nothing/here")
    note()
    return pages
  }

  /// All kinds of pages that a payer can come by.
  private static func pages(_ walk: String) async -> [String] {
    guard var browser = await browser(walk) else { return [] }
    var pages = [browser.page]
    func note() { pages.append(browser.page) }
    switch walk {
    case "futa":
      await browser.submit(["msisdn": "1"])
      note()
      await browser.submit(["msisdn": "+243810000002"])
      note()
      let path = browser.page.components(between: "action=\"", "/phone").first ?? ""
      let bank = path.replacing("/pay/", with: "/bank/")
      for decision in [1, 0] {
        await browser.open(path + "/choose")
        await browser.submit(form: 1)
        await browser.open(path)
        note()
        await browser.open(bank)
        note()
        await browser.submit(form: decision)
        note()
      }
      await browser.open(path)
      note()
      await browser.follow("receipt")
      note()
    case "rais":
      for number in ["1", "4000 0000 0000 0002", "4000 0000 0000 0003"] {
        await browser.submit(["card_number": number])
        note()
      }
      for code in ["1", "1234"] {
        await browser.submit(["otp": code])
        note()
      }
      await browser.submit(["card_number": "4000 0000 0000 0001"])
      await browser.submit(["otp": "1234"])
      note()
    case "tebex":
      let path = browser.page.components(between: "action=\"", "/method").first ?? ""
      for method in ["gold", "declined", "test"] {
        await browser.submit(["method": method])
        note()
      }
      for step in ["", "/result", "/nowhere", "/../none"] {
        await browser.open(path + step)
        note()
      }
    case "seb": return await sebPages(browser)
    default:
      for values in [
        ["phone": "1"], ["phone": "+971500000001"], ["otp": "1"], ["otp": "8888"],
        ["id_image": ""], ["id_image": "id.png"], ["method": "bank"],
      ] {
        await browser.submit(values)
        note()
      }
      await browser.follow("bank")
      note()
      await browser.submit()
      note()
      await browser.follow("continue")
      note()
    }
    await browser.open("/nothing/here")
    note()
    return pages
  }
}

/// The colours of the style sheet in one scheme and place.
private struct Palette {
  private var colors: [String: String] = [:]

  init(_ sheet: String, isDark: Bool, place: String) throws {
    let rules = sheet.components(between: ":root{", "}")
    let bank = sheet.components(between: ".bank{", "}")
    try #require(rules.count == 2 && bank.count == 2)
    var parts = [rules[0]]
    if isDark { parts.append(rules[1]) }
    if place == ".bank" { parts += isDark ? bank : [bank[0]] }
    for part in parts {
      for pair in part.split(separator: ";") {
        let sides = pair.split(separator: ":").map(String.init)
        colors[String(sides[0].dropFirst(2))] = String(sides[1].dropFirst())
      }
    }
  }

  /// The ratio of WCAG 2.2, from 1 to 21.
  func contrast(_ first: String, _ second: String) throws -> Double {
    let lights = [try luminance(first), try luminance(second)].sorted()
    return (lights[1] + 0.05) / (lights[0] + 0.05)
  }

  private func luminance(_ name: String) throws -> Double {
    let short = try #require(colors[name], "\(name)")
    let text = short.count == 3 ? short.map { "\($0)\($0)" }.joined() : short
    let number = try #require(Int(text, radix: 16))
    func part(_ shift: Int) -> Double {
      let value = Double(number >> shift & 0xFF) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0)
  }
}
