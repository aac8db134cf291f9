import HTTPExchange
import KitEnvironment
import MerchantAPI
import PaymentStore
import StrictJSON

extension MerchantServer {
  /// That the process runs, and which one it is.
  func showHealth() -> HTTPResponse {
    var members = [JSONMember(name: "status", value: .string("ok"))]
    if let instance = settings.instance {
      members.append(JSONMember(name: "instance", value: .string(instance)))
    }
    return json(.object(members))
  }

  /// Whether requests can be served and what they begin is gone on with: the store can be read and
  /// written, there is room on its disk, and every worker moves.
  func showReadiness() async throws -> HTTPResponse {
    let silences = settings.workerSilences()
    let room = settings.diskRoom()
    var faults = silences.filter { $0.duration > settings.workerSilenceMax }.map {
      "the worker \($0.worker.rawValue) has not moved for \($0.duration.components.seconds) s"
    }
    if let room, room < settings.diskRoomMin {
      faults.append("\(room) bytes are left on the store's disk")
    }
    if let fault = await readiness.storeFault(store) { faults.append(fault) }
    guard faults.isEmpty else {
      environment.log(.error, "not ready", ("faults", faults.joined(separator: "; ")))
      throw Problem(.unavailable, "Not ready: \(faults.joined(separator: "; ")).")
    }
    return json(
      .object([
        "status": .string("ready"),
        "workers": .array(
          silences.map {
            .object([
              "worker": .string($0.worker.rawValue),
              "silent_ms": .integer(max(0, $0.duration.milliseconds)),
            ])
          }),
        "disk_free_bytes": room.map { .integer($0) } ?? .null,
        "paused": .array(try await pausedNames()),
      ]))
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}

/// Asks the store whether it can be read and written, and remembers the answer for a moment:
/// whoever asks often must not cost a sync of the disk each time.
actor ReadinessProbe {
  /// An answer is good for so long.
  static let validity: Duration = .seconds(2)

  private let clock: KitClock
  private var last: (fault: String?, at: Duration)?

  init(clock: KitClock) { self.clock = clock }

  /// What is wrong with the store; nil if nothing.
  func storeFault(_ store: any PaymentStore) async -> String? {
    let uptime = clock.uptime()
    if let last, uptime - last.at < Self.validity { return last.fault }
    var fault: String?
    do {
      let now = clock.now()
      _ = try await store.read { try $0.payments(before: nil, limit: 1) }
      try await store.write { try $0.probe(at: now) }
    } catch {
      fault = "the store cannot be used (\((error as? StoreError)?.kind.rawValue ?? "unknown"))"
    }
    last = (fault, uptime)
    return fault
  }
}
