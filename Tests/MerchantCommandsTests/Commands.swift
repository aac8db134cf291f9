import CommandLineParser
import HTTPExchange
import KitEnvironment
import MerchantCommands
import PaymentModels
import SystemRuntime
import TestSupport

/// An id as commands take it.
let someID = "0190f0a0-0000-7000-8000-000000000001"
/// Tokens that must never be shown.
let operatorKey = "op_k3y-that-must-not-be-seen"
let appToken = "app_t0ken-that-must-not-be-seen"

/// What one run of a command did.
struct Ran: Sendable {
  var code: Int32
  var output: String
  var errors: [String]
  var sent: [HTTPOutgoing]
}

/// A command line of `till` against a transport, as the program runs it.
struct Till: Sendable {
  var clock = ManualClock()
  var isInteractive = false
  var usesColor = false
  var operatorKey: String? = MerchantCommandsTests.operatorKey
  var appToken: String? = MerchantCommandsTests.appToken
  var readFile: @Sendable (String) throws -> [UInt8] = { _ in [] }

  func run(_ line: String, _ transport: ClosureTransport) async -> Ran {
    let output = Locked("")
    let errors = Locked<[String]>([])
    let words = line.split(separator: " ").map(String.init)
    guard case .run(.ask(let request, let asJSON)) = tillCommand.parse(words) else {
      return Ran(code: 64, output: "", errors: ["not a request: \(line)"], sent: [])
    }
    let runner = TillRunner(
      connection: MerchantConnection(
        server: "http://shop.test/", appToken: appToken.map { Secret($0) },
        operatorKey: operatorKey.map { Secret($0) }, transport: transport),
      terminal: Terminal(
        isInteractive: isInteractive, usesColor: usesColor,
        write: { text in output.withLock { $0 += text } },
        complain: { line in errors.withLock { $0.append(line) } }),
      environment: .test(clock), readFile: readFile)
    let code = await runner.run(request, asJSON: asJSON)
    return Ran(
      code: code, output: output.withLock { $0 }, errors: errors.withLock { $0 },
      sent: transport.sent)
  }

  /// Runs against one answer for everything.
  func run(_ line: String, status: Int, _ body: String = "", headers: HTTPHeaders = [:])
    async -> Ran
  {
    await run(
      line,
      ClosureTransport { _ in
        HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
      })
  }
}

/// A payment as the server shows it.
func paymentJSON(
  state: String = "captured", order: String = "paid", version: Int = 3, extra: String = ""
) -> String {
  """
  {"payment_id":"\(someID)","order_id":"\(someID)","attempt":1,"provider":"tabby",\
  "provider_payment_id":"\(someID)","state":"\(state)","order_state":"\(order)",\
  "amount":"340.00","currency":"AED","exponent":2,"captured":"0.00","refunded":"0.00",\
  "checkout_url":"http://pay.test/1","rejection_reason":null,"expires_at":null,"fresh":true,\
  "version":\(version)\(extra)}
  """
}

func problem(_ code: String, _ detail: String, path: String? = nil) -> String {
  let path = path.map { ",\"path\":\"\($0)\"" } ?? ""
  return "{\"type\":\"/problems/\(code)\",\"detail\":\"\(detail)\"\(path)}"
}
