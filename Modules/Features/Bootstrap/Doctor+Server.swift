import HTTPExchange
import KitEnvironment
import MerchantAPI
import MerchantCommands
import PaymentModels
import StrictJSON

extension Doctor {
  /// The running server: whether it answers, and whether all in it moves.
  func serverChecks() async -> [DoctorCheck] {
    let url = LiveService.url(configuration.address, configuration.port)
    let request = HTTPOutgoing(
      method: "GET", url: url + Route.ready.path, deadline: .seconds(10))
    do {
      let response = try await transport.send(request)
      let json = try? JSONValue(parsing: response.body)
      guard response.status == 200, let json else {
        return [
          DoctorCheck(
            "server", .fail, Problem(response: response)?.detail ?? "status \(response.status)",
            advice: "read its log; what is named has to move again before it takes checkouts")
        ]
      }
      return [DoctorCheck("server", .ok, "ready at \(url)"), workers(json)]
    } catch {
      return [
        DoctorCheck(
          "server", .fail, "no answer at \(url) (\(error.reason))",
          advice: "start till-server, or look at its last log lines")
      ]
    }
  }

  private func workers(_ json: JSONValue) -> DoctorCheck {
    let silences = (json["workers"]?.elements ?? []).compactMap { worker -> String? in
      guard let name = worker["worker"]?.text, let silence = worker["silent_ms"]?.int64 else {
        return nil
      }
      return "\(name) \(silence / 1_000) s"
    }
    guard !silences.isEmpty else {
      return DoctorCheck("workers", .skipped, "the server does not tell of them")
    }
    return DoctorCheck("workers", .ok, "last moved: \(silences.joined(separator: ", ")) ago")
  }
}
