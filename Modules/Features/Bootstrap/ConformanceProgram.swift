import Conformance
import CurlTransport
import KitEnvironment
import MerchantCommands
import StrictJSON
import SystemRuntime

/// `till conformance`: the suite as a process, with a port for what is sent to it.
enum ConformanceProgram {
  static func run(
    _ options: ConformanceOptions, _ variables: [String: String], _ environment: KitEnvironment
  ) async throws -> Int32 {
    let adapter = try adapter(options.adapter, variables)
    let providers = try options.providers.map { name throws(ConfigurationError) in
      guard let provider = ConformanceProvider(rawValue: name),
        adapter.providers.contains(provider)
      else { throw ConfigurationError("--provider", "the adapter has no provider \(name)") }
      return provider
    }
    let transport = CurlTransport()
    let run = ConformanceRun(
      backend: options.backend, sandbox: options.sandbox,
      ownURL: "http://127.0.0.1:\(options.port)", adapter: adapter,
      options: .init(only: options.only, providers: providers), transport: transport,
      environment: environment)
    let service = try LiveService(
      address: "127.0.0.1", port: UInt16(clamping: options.port), grace: .seconds(2),
      handler: run.handler, environment: environment)
    let end = AsyncStream.makeStream(of: Void.self)
    let result = await withTaskGroup(of: Void.self) { group in
      group.addTask { await service.run(stop: { for await _ in end.stream {} }, work: {}) }
      defer { end.continuation.finish() }
      do throws(ConformanceError) {
        return Result<Scorecard, ConformanceError>.success(try await run.run())
      } catch {
        return .failure(error)
      }
    }
    await transport.close()
    switch result {
    case .success(let card):
      show(card, options)
      return card.isPerfect ? 0 : 1
    case .failure(let error): throw ConfigurationError("conformance", error.description)
    }
  }

  private static func adapter(
    _ file: String?, _ variables: [String: String]
  ) throws -> ConformanceAdapter {
    let json =
      if let file {
        try JSONValue(parsing: try Files.read(file, bytesMax: adapterBytesMax))
      } else {
        ConformanceAdapter.own
      }
    do throws(AdapterError) {
      return try ConformanceAdapter(json: json, variables: variables)
    } catch {
      throw ConfigurationError(file ?? "--adapter", error.description)
    }
  }

  private static func show(_ card: Scorecard, _ options: ConformanceOptions) {
    guard !options.asJSON else {
      return Output.write(String(decoding: card.json.serialized(), as: UTF8.self) + "\n")
    }
    Output.write(card.lines.joined(separator: "\n") + "\n")
  }

  /// An adapter is a page of text.
  private static let adapterBytesMax = 1 << 20
}
