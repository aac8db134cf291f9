@testable import Bootstrap
import HTTPExchange
import KitEnvironment
import MerchantServer
import PaymentModels
import PaymentStore
import ProviderSandbox
import SQLitePaymentStore
import StrictJSON
import SystemCrypto
import SystemRuntime
import TestSupport

/// The production server and all sandboxes in one process, with a buyer whose every word can be
/// told from all others, and everything kept that anybody wrote down.
struct PlantedStack: Sendable {
  /// How the providers answer.
  enum Answers: Sendable {
    case asSandbox
    /// A refusal with the provider's own code that says back all that it was told.
    case refusal
    /// A page of something in between, with the same.
    case page
    /// A success that is cut short, with the same.
    case cut
  }

  /// What is known of the buyer: none of it may stand anywhere but in what a provider is sent.
  static let buyer = [
    "name": "Zebulon Quixworth", "email": "zq.planted@buyers.example", "phone": "+971509988776",
    "city": "Plantedville", "address": "77 Wyvern Mews", "zip": "ZQ9-4417",
    "username": "wyverngamer",
  ]
  /// Parts of it that would give it away.
  static let buyerWords = [
    "Zebulon", "Quixworth", "zq.planted", "509988776", "Plantedville", "Wyvern", "ZQ9-4417",
    "wyverngamer",
  ]
  static let sandboxURL = "http://127.0.0.1:4010"
  static let serverURL = "http://127.0.0.1:4020"
  static let receiverURL = "http://127.0.0.1:4030"

  let clock = ManualClock()
  let log = LogLines()
  let shop: DemoShop
  let environment: KitEnvironment
  let server: any HTTPHandler
  let transport: ClosureTransport
  private let answers = Locked(Answers.asSandbox)
  private let kept = Locked<[(status: Int, text: String)]>([])
  private let sandbox: DemoSandbox
  private let composition: ServerComposition
  /// Where everything of the stack lies.
  let directory: String
  /// The file of the server's store, if it is on disk.
  let database: String
  private let file: SQLitePaymentStore?

  /// - Parameter isOnDisk: whether the server's store is a file, as in production; else memory.
  static func run(
    onDisk isOnDisk: Bool = false, _ body: (PlantedStack) async throws -> Void
  ) async throws {
    let directory = try Files.makeTemporaryDirectory()
    defer { try? Files.removeTree(directory) }
    let stack = try PlantedStack(directory: directory, isOnDisk: isOnDisk)
    let result: Result<Void, any Error>
    do {
      result = .success(try await stack.serve(body))
    } catch {
      result = .failure(error)
    }
    await stack.file?.close()
    try result.get()
  }

  private func serve(_ body: (PlantedStack) async throws -> Void) async throws {
    let stack = self
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await stack.sandbox.run() }
      group.addTask { await stack.composition.run() }
      defer { group.cancelAll() }
      try await stack.moving {
        try await SandboxRegistration(
          transport: stack.transport, sandbox: Self.sandboxURL, shop: stack.shop
        ).register(server: Self.serverURL)
      }
      try await body(stack)
    }
  }

  private init(directory: String, isOnDisk: Bool) throws {
    self.directory = directory
    var environment = KitEnvironment(
      clock: clock.clock, random: seededRandom(23), log: log.sink, hashing: .openSSL)
    environment.metrics = .live()
    self.environment = environment
    shop = DemoShop(directory: directory, environment: environment)
    try shop.write(sandbox: Self.sandboxURL, fulfilment: Self.receiverURL, port: 0)
    var buyer = Self.buyer.sorted { $0.key < $1.key }.map {
      JSONMember(name: $0.key, value: .string($0.value))
    }
    buyer.append(
      JSONMember(name: "subject", value: .string(DemoShop.Payer.approved.rawValue)))
    try Files.replace(
      "\(directory)/buyers.json",
      with: JSONValue.object(["buyers": .array([.object(buyer)])]).serialized())
    let configuration = try ServerConfiguration(
      file: shop.configurationFile, environment: shop.environment)
    let parties = Locked<(sandbox: (any HTTPHandler)?, server: (any HTTPHandler)?)>((nil, nil))
    let answers = answers
    transport = ClosureTransport { request throws(HTTPTransportError) in
      let (sandbox, server) = parties.withLock { $0 }
      if request.url.hasPrefix(Self.receiverURL) { return HTTPResponse(status: 204) }
      if let server, request.url.hasPrefix(Self.serverURL) {
        return await server.respond(to: Self.incoming(request, Self.serverURL))
      }
      guard let sandbox, request.url.hasPrefix(Self.sandboxURL) else {
        throw HTTPTransportError(.notSent, reason: "connect refused")
      }
      // A token of SEB's is needed before anything can go wrong with a payment.
      if let wrong = Self.wrong(answers.withLock { $0 }, request),
        !request.url.hasSuffix("/auth/token")
      {
        return wrong
      }
      return await sandbox.respond(to: Self.incoming(request, Self.sandboxURL))
    }
    let waiters = WaiterTable(waitersMax: 100)
    database = configuration.database
    file =
      isOnDisk
      ? try SQLitePaymentStore.open(
        path: configuration.database, onCommit: { waiters.committed($0) }) : nil
    let store: any PaymentStore =
      file ?? InMemoryPaymentStore(onCommit: { waiters.committed($0) })
    sandbox = DemoSandbox(
      tabby: .init(keys: [shop.tabbyKey]), futaKeys: [shop.futaKey], raisKeys: [shop.raisKey],
      tebexKeys: [shop.tebexKey], sebSecrets: [shop.sebSecret], environment: environment,
      transport: transport)
    composition = ServerComposition(
      configuration, store: store, waiters: waiters, transport: transport,
      environment: environment)
    server = composition.handler
    let handlers = (sandbox.handler, server)
    parties.withLock { $0 = handlers }
  }

  private static func incoming(_ request: HTTPOutgoing, _ prefix: String) -> HTTPRequest {
    var headers = request.headers
    headers.add("Host", String(prefix.dropFirst("http://".count)))
    return HTTPRequest(
      method: request.method, target: String(request.url.dropFirst(prefix.count)),
      headers: headers, body: request.body, peer: "127.0.0.1")
  }

  private static func wrong(_ answers: Answers, _ request: HTTPOutgoing) -> HTTPResponse? {
    let sent = String(decoding: request.body, as: UTF8.self)
    let headers = request.headers.fields.map { "\($0.name): \($0.value)" }.joined(separator: " ")
    let echo = "you sent \(sent) with \(headers)"
    switch answers {
    case .asSandbox: return nil
    case .refusal:
      let code: JSONValue = .object([
        "code": "bad_data", "message": .string(echo), "error": .string(echo),
        "errorType": "bad_data", "status": "error", "type": "bad_data",
      ])
      return HTTPResponse(
        status: 400, headers: ["Content-Type": "application/json"], body: code.serialized())
    case .page:
      return HTTPResponse(
        status: 502, headers: ["Content-Type": "text/html"],
        body: Array("<html>\(echo)</html>".utf8))
    case .cut:
      return HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"], body: Array("{\(echo)".utf8))
    }
  }

  // MARK: Steps

  /// Lets the providers answer otherwise from now on.
  func answer(_ how: Answers) { answers.withLock { $0 = how } }

  /// Sends a request, moves time until it is answered, and keeps what the answer says to whoever
  /// is not a payer's own app.
  func send(
    _ method: String, _ target: String, token: String?, key: String? = nil, body: String = "",
    headers more: HTTPHeaders = [:]
  ) async throws -> HTTPResponse {
    var headers = more
    if let token { headers.add("Authorization", "Bearer \(token)") }
    if let key { headers.add("Idempotency-Key", key) }
    if !body.isEmpty { headers.add("Content-Type", "application/json") }
    let request = HTTPRequest(
      method: method, target: target, headers: headers, body: Array(body.utf8))
    let server = server
    let response = try await moving { await server.respond(to: request) }
    kept.withLock { $0.append((response.status, String(decoding: response.body, as: UTF8.self))) }
    return response
  }

  /// Everything that was written down or told: log lines, and every answer.
  var told: [String] {
    [log.text] + kept.withLock { $0.map(\.text) }
  }

  func until(_ what: String, _ isDone: () async throws -> Bool) async throws {
    for _ in 0..<1_200 {
      if try await isDone() { return }
      await pause(.milliseconds(50))
    }
    throw Unexpected("\(what): not within a minute")
  }

  func pause(_ duration: Duration) async {
    clock.advance(by: duration)
    for _ in 0..<40 { await Task.yield() }
  }

  func moving<Result: Sendable>(
    _ call: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await result(of: call) { await pause(.milliseconds(20)) }
  }
}
