import AppSimulator
import CurlTransport
import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON
import SystemRuntime

/// The stage as stories and sweeps see it.
extension LiveStage {
  /// What stories see.
  func stage() -> Stage {
    Stage(
      sandbox: sandboxURL, transport: transport, environment: environment,
      startApp: { [programs, serverURL, shop, broken] arguments, payer in
        let client = broken.flatMap { BrokenClient(rawValue: $0) }
        return StageProcess(
          try ChildProcess(
            "\(programs)/till-app",
            arguments: arguments + (client.map { ["--broken", $0.rawValue] } ?? []),
            environment: appVariables(shop, serverURL, payer), errorOutput: .output))
      },
      restartServer: { try await self.restartServer(stopAt: $0) },
      killServer: { await self.killServer() },
      startServer: { try await self.startServer(stopAt: nil) },
      serverStandsStill: { try await self.serverStandsStill() },
      showOrder: { try await self.till(["order", "show", $0]) },
      explainOrder: { try await self.till(["order", "explain", $0]) },
      till: { try await self.runTill($0) }, settings: shop.configurationFile,
      refund: { try await self.till(["payment", "refund", $0, "--reason", "part of a story"]) },
      fulfilments: { [receiver] in await receiver.fulfilments(of: $0) },
      revocations: { [receiver] in await receiver.revocations(of: $0) },
      repeatedMessages: { [receiver] in await receiver.repeats(of: $0) },
      heldReads: { try await self.heldReads() },
      newPhone: { [directory, environment] in "\(directory)/phone-\(environment.newUUID()).sqlite" }
    )
  }

  /// What sweeps see beyond that.
  func sweepStage() -> SweepStage {
    SweepStage(
      stage: stage(),
      startTracedApp: { [programs, directory, serverURL, shop] arguments, injection in
        StageProcess(
          try Tracer.start(
            "\(programs)/till-app", arguments, under: injection,
            environment: appVariables(shop, serverURL, .approved), directory: directory))
      },
      attach: { try await self.attach($0, $1) }, detach: { await self.detach() },
      firstServerEnds: {
        guard await self.firstServerWasKilled() else { return .byItself }
        return await self.isKilledAtStart ? .killedAtStart : .killed
      },
      refundElsewhere: { try await self.refundElsewhere($0, $1) },
      holdMessages: { [receiver] in await receiver.hold($0) },
      messages: { [receiver] in await receiver.count(of: $0, $1) })
  }

  /// Runs a fresh `till` process and reads the JSON that it prints.
  private func till(_ arguments: [String]) async throws -> JSONValue {
    let till = try await runTill(arguments)
    let text = till.lines.joined()
    guard till.code == 0 else {
      throw ConfigurationError("till \(arguments.joined(separator: " "))", text)
    }
    return try JSONValue(parsing: Array(text.utf8))
  }

  /// All that the server has, so that its doctor finds it.
  private var tillVariables: [String: String] {
    shop.environment.merging(
      ["PATH": "/usr/bin:/bin", "TILL_SERVER": serverURL, "TILL_LISTEN_PORT": serverPort]
    ) { $1 }
  }

  private func runTill(_ arguments: [String]) async throws -> Stage.Till {
    let process = try ChildProcess(
      "\(programs)/till", arguments: arguments + ["--json"],
      environment: tillVariables, errorOutput: .output)
    process.closeInput()
    var lines: [String] = []
    for await line in process.lines { lines.append(line) }
    guard case .exited(let code) = await process.wait() else {
      throw ConfigurationError("till", "was ended by a signal")
    }
    return Stage.Till(code: code, lines: lines)
  }

  /// The gauge of the server's metrics, as monitoring reads it.
  private func heldReads() async throws -> Int {
    let response = try await transport.send(
      HTTPOutgoing(
        method: "GET", url: "\(serverURL)/metrics",
        headers: ["Authorization": "Bearer \(shop.operatorKey.reveal())"]))
    let text = String(decoding: response.body, as: UTF8.self)
    let gauge = text.split(separator: "\n").first { $0.hasPrefix("till_reads_held ") }
    guard let count = gauge?.split(separator: " ").last.flatMap({ Int($0) }) else {
      throw ConfigurationError("till-server", "tells no metric of held reads")
    }
    return count
  }

  /// Tabby's own call, as its merchant portal makes it.
  private func refundElsewhere(_ payment: String, _ amount: String) async throws {
    let response = try await transport.send(
      HTTPOutgoing(
        method: "POST", url: "\(sandboxURL)/api/v2/payments/\(payment)/refunds",
        headers: [
          "Authorization": "Bearer \(shop.tabbyKey.reveal())", "X-Merchant-Code": "AE",
          "Content-Type": "application/json",
        ], body: JSONValue.object(["amount": .string(amount)]).serialized()))
    guard response.status == 200 else {
      throw ConfigurationError("sandbox", "refused a refund (status \(response.status))")
    }
  }
}

extension StageProcess {
  init(_ process: ChildProcess) {
    self.init(
      identifier: process.identifier, lines: process.lines,
      write: { try? process.write(Array(($0 + "\n").utf8)) },
      kill: {
        process.send(.kill)
        _ = await process.wait()
      },
      wait: {
        switch await process.wait() {
        case .exited(let code): code
        case .signalled: nil
        }
      })
  }
}

private func appVariables(
  _ shop: DemoShop, _ server: String, _ payer: StoryPayer
) -> [String: String] {
  let token = shop.token(payer == .approved ? .approved : .declined)
  return ["PATH": "/usr/bin:/bin", "TILL_SERVER": server, "TILL_APP_TOKEN": token.reveal()]
}
