@testable import Bootstrap
import CurlTransport
import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON
import SystemCrypto
import SystemRuntime
import TestSupport

/// A program of the kit: it lies beside the test bundle.
func program(_ name: String) -> String {
  let bundle = ProcessFacts.programPath() ?? ""
  return bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    .joined(separator: "/") + "/\(name)"
}

/// What a program that ends by itself did.
struct Finished: Sendable {
  var end: ChildProcess.End
  var lines: [String]
}

/// Runs a program to its end; standard error is among its lines.
func finish(
  _ path: String, _ arguments: [String], _ variables: [String: String] = [:]
) async throws -> Finished {
  let process = try ChildProcess(
    path, arguments: arguments, environment: variables.merging(["PATH": "/usr/bin:/bin"]) { $1 },
    errorOutput: .output)
  process.closeInput()
  var lines: [String] = []
  for await line in process.lines { lines.append(line) }
  return Finished(end: await process.wait(), lines: lines)
}

/// A shop in a directory of its own, and `till-server` over it.
struct ServedShop: Sendable {
  let directory: String
  let shop: DemoShop

  /// - Parameter fulfilment: the receiver's URL; no messages are sent without one.
  init(_ directory: String, fulfilment: String? = nil) throws {
    self.directory = directory
    shop = DemoShop(
      directory: directory,
      environment: KitEnvironment(
        clock: ManualClock().clock, random: seededRandom(11), log: .silent, hashing: .openSSL))
    // Nothing listens there: these tests need no provider.
    try shop.write(sandbox: "http://127.0.0.1:9", fulfilment: fulfilment, port: 0)
  }

  var database: String { "\(directory)/till.sqlite" }

  var variables: [String: String] {
    shop.environment.merging(["PATH": "/usr/bin:/bin", "TILL_LOG_LEVEL": "error"]) { $1 }
  }

  /// Starts the server, runs `body`, and kills the server if `body` has not ended it.
  ///
  /// - Parameter limit: `ulimit` words for the server, such as `-f 100`.
  func serve<Result>(
    limit: String? = nil, _ body: (ChildProcess, ServedAPI) async throws -> Result
  ) async throws -> Result {
    let arguments = ["--config", shop.configurationFile]
    // A write over the limit fails as on a full disk.
    let process =
      if let limit {
        try ChildProcess(
          "/bin/sh",
          arguments: ["-c", "ulimit \(limit); exec \"$@\"", "sh"]
            + [program("till-server")] + arguments, environment: variables)
      } else {
        try ChildProcess(
          program("till-server"), arguments: arguments, environment: variables)
      }
    defer { process.send(.kill) }
    var url = ""
    for await line in process.lines {
      url = String(line.split(separator: " ").last ?? "")
      break
    }
    let transport = CurlTransport()
    do {
      let result = try await body(
        process, ServedAPI(url: url, shop: shop, transport: transport))
      await transport.close()
      return result
    } catch {
      await transport.close()
      throw error
    }
  }
}

/// Calls of a running server.
struct ServedAPI: Sendable {
  let url: String
  let shop: DemoShop
  let transport: CurlTransport

  func get(_ target: String, headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
    var headers = headers
    headers.add("Authorization", "Bearer \(shop.operatorKey.reveal())")
    return try await transport.send(
      HTTPOutgoing(method: "GET", url: url + target, headers: headers, deadline: .seconds(40)))
  }

  /// Delivers a webhook that is stored whether or not its payment is known; gives the status.
  func deliver(_ number: Int) async throws -> Int {
    let digits = String(number)
    let id =
      "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    let body: JSONValue = .object([
      "id": .string(id), "status": "authorized",
      "padding": .string(String(repeating: "x", count: 2_000)),
    ])
    let response = try await transport.send(
      HTTPOutgoing(
        method: "POST", url: "\(url)/webhooks/tabby",
        headers: [
          "Content-Type": "application/json",
          DemoShop.webhookHeader: shop.webhookSecret.reveal(),
        ], body: body.serialized(), deadline: .seconds(40)))
    return response.status
  }
}
