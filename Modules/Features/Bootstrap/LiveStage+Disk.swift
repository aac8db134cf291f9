import AppSimulator
import CurlTransport
import HTTPExchange
import KitEnvironment
import PaymentModels
import SystemRuntime

/// The stage as runs with a bad disk see it.
extension LiveStage {
  /// More than one run's calls, line by line.
  private static let traceBytesMax = 64 << 20
  /// `CLK_TCK` of Linux: the kernel tells processor time in hundredths.
  private static let ticksBySecond: Int64 = 100
  /// An answer may take as long as a commit that waits for its lock.
  private static let answerTime: Duration = .seconds(20)

  /// What such runs see.
  func diskStage() -> DiskStage {
    DiskStage(
      sweep: sweepStage(),
      failedCalls: { [directory] in
        let path = "\(directory)/strace.txt"
        guard Files.exists(path) else { return 0 }
        let text = String(
          decoding: try Files.read(path, bytesMax: Self.traceBytesMax), as: UTF8.self)
        return text.split(separator: "\n").count { $0.hasSuffix(DiskFault.mark) }
      },
      startServer: { try await self.startServer(on: $0, isNewStore: $1) },
      call: { try await self.call($0, $1, $2, $3, $4) },
      busyTime: { try await self.busyTime() },
      serverLines: { await self.serverLog().count })
  }

  private func call(
    _ method: String, _ target: String, _ sender: DiskStage.Sender, _ key: String?,
    _ body: [UInt8]
  ) async throws -> HTTPResponse {
    var headers: HTTPHeaders = body.isEmpty ? [:] : ["Content-Type": "application/json"]
    if let key { headers.add("Idempotency-Key", key) }
    switch sender {
    case .nobody: break
    case .app: headers.add("Authorization", "Bearer \(shop.token(.approved).reveal())")
    case .operator: headers.add("Authorization", "Bearer \(shop.operatorKey.reveal())")
    case .provider: headers.add(DemoShop.webhookHeader, shop.webhookSecret.reveal())
    }
    return try await transport.send(
      HTTPOutgoing(
        method: method, url: serverURL + target, headers: headers, body: body,
        deadline: Self.answerTime))
  }

  /// Fields 14 and 15 of proc_pid_stat(5); the second field, the name in parentheses, may hold
  /// anything.
  private func busyTime() throws -> Duration {
    guard let process = serverProcess else { return .zero }
    let text = String(
      decoding: try Files.read("/proc/\(process)/stat", bytesMax: 4_096), as: UTF8.self)
    let fields = text.split(separator: ")").last.map { $0.split(separator: " ") } ?? []
    guard fields.count > 12, let user = Int64(fields[11]), let system = Int64(fields[12]) else {
      throw ConfigurationError("/proc", "does not tell the server's processor time")
    }
    return .milliseconds((user + system) * 1_000 / Self.ticksBySecond)
  }
}
