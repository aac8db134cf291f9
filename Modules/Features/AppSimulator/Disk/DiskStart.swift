import HTTPExchange

/// Starts of the server on a bad disk.
enum DiskStart {
  /// `EX_IOERR` of sysexits(3): the store cannot be opened.
  private static let storeCode: Int32 = 74

  /// Starts it on a bad disk and then on a good one; gives what it did wrong.
  static func faults(_ fault: DiskFault, _ stage: DiskStage) async throws -> [SweepFault] {
    var faults: [SweepFault] = []
    let isNew = fault.scene == .newStore
    let bad = try await stage.startServer(fault, isNew)
    if let code = bad.code {
      let line = bad.lines.first ?? ""
      if code != storeCode { faults.append(.wrong("it ended with \(code)")) }
      if bad.lines.count != 1 || !line.hasPrefix("error: the store ")
        || !line.contains(" cannot be opened: ")
      {
        faults.append(.wrong("it said \(bad.lines.count) lines: \(line)"))
      }
    }
    let good = try await stage.startServer(nil, isNew)
    if let code = good.code {
      faults.append(.lost("on a good disk it ended with \(code): \(good.lines.first ?? "")"))
    } else {
      let ready = try await stage.call("GET", "/readyz", .nobody, nil, []).status
      if ready != 200 { faults.append(.wrong("on a good disk /readyz says \(ready)")) }
    }
    return faults
  }
}
