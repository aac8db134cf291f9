import HTTPExchange
import KitEnvironment
import ProviderSandbox
import TestSupport
import Testing

@Suite("Control of sandboxes from elsewhere")
struct LocalControlTests {
  private let control = LocalControl(
    SandboxStack(
      settings: .init(), environment: .test(ManualClock()),
      transport: ClosureTransport { _ in HTTPResponse(status: 200) }))

  private func status(
    _ method: String, _ target: String, _ headers: HTTPHeaders, body: String = ""
  ) async -> Int {
    await control.respond(
      to: HTTPRequest(
        method: method, target: target, headers: headers, body: Array(body.utf8))
    ).status
  }

  private func movedClock(_ headers: HTTPHeaders) async -> Int {
    await status("POST", "/sandbox/clock", headers, body: "{\"advance_ms\": 1}")
  }

  @Test(arguments: [
    nil, "127.0.0.1:4010", "127.0.0.1", "[::1]:4010", "localhost:4010", "LOCALHOST",
    "app.localhost:4010", "10.0.2.2:4010", "192.168.1.7",
  ])
  func `by an address it is there`(host: String?) async {
    let headers = host.map { ["Host": $0] as HTTPHeaders } ?? [:]
    #expect(await status("GET", "/sandbox", headers) == 200)
    #expect(await status("GET", "/sandbox/ledger", headers) == 200)
    #expect(await movedClock(headers) == 200)
  }

  @Test(arguments: [
    "evil.example", "evil.example:4010", "localhost.evil.example", "127.0.0.1.evil.example",
    "1.localhost.", "[evil.example]", "", "127.0.0.1@evil.example",
  ])
  func `by a name that may lead anywhere it is not`(host: String) async {
    for (method, target) in [
      ("GET", "/sandbox"), ("GET", "/sandbox/ledger"), ("POST", "/sandbox/clock"),
      ("POST", "/sandbox/control/clock"), ("DELETE", "/sandbox/payments/x/faults"),
    ] {
      #expect(await status(method, target, ["Host": host, "Origin": "http://\(host)"]) == 403)
    }
    // The pages of payers and the APIs of providers are not its business.
    #expect(await status("GET", "/api/v2/payments", ["Host": host]) == 401)
  }

  @Test func `what a page of another origin sends does nothing`() async {
    let host = ("Host", "127.0.0.1:4010")
    let foreign: [HTTPHeaders] = [
      ["Host": host.1, "Origin": "http://evil.example"], ["Host": host.1, "Origin": "null"],
      ["Host": host.1, "Origin": "http://127.0.0.1:8080"],
      ["Host": host.1, "Sec-Fetch-Site": "cross-site"],
      ["Host": host.1, "Sec-Fetch-Site": "same-site"],
      [
        "Host": host.1, "Sec-Fetch-Site": "cross-site", "Origin": "http://127.0.0.1:4010",
      ],
      [
        "Host": host.1, "Origin": "http://evil.example", "X-Forwarded-Host": "evil.example",
      ],
    ]
    for headers in foreign { #expect(await movedClock(headers) == 403) }
    for site in ["same-origin", "none"] {
      let own: HTTPHeaders = [
        "Host": host.1, "Sec-Fetch-Site": site, "Origin": "http://127.0.0.1:4010",
      ]
      #expect(await movedClock(own) == 200)
    }
    // A link leads to a page, and changes nothing.
    let link: HTTPHeaders = ["Host": host.1, "Sec-Fetch-Site": "cross-site"]
    #expect(await status("GET", "/sandbox", link) == 200)
  }
}
