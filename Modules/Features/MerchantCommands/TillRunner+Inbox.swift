import KitEnvironment
import MerchantAPI
import PaymentModels
import StrictJSON

extension TillRunner {
  func perform(_ request: InboxRequest, _ asJSON: Bool) async throws(CommandFailure) {
    switch request {
    case .list(let state, let provider, let limit, let before):
      var query = "?limit=\(limit)"
      if let state { query += "&state=\(state)" }
      if let provider { query += "&provider=\(try word(provider))" }
      if let before { query += "&before=\(before)" }
      let json = try await read(.operator(.webhooks), query: query)
      if asJSON { printJSON(json) } else { printWebhooks(json) }
    case .show(let id, let withBody):
      let json = try await read(
        .operator(.webhook(WebhookID(id))), query: withBody ? "?body=1" : "")
      if asJSON { printJSON(json) } else { printWebhook(json, withBody: withBody) }
    case .requeue(let id, let reason):
      let json = try await post(
        .operator(.requeueWebhook(WebhookID(id))), body: ReasonBody(reason: reason).json, key: nil)
      if asJSON { printJSON(json) } else { printWebhook(json, withBody: false) }
    case .replay(let id, let reason):
      try showReplay(
        await post(
          .operator(.replayWebhook(WebhookID(id))), body: ReasonBody(reason: reason).json,
          key: nil), asJSON)
    case .replayFile(let file, let provider, let time, let reason):
      let body = try saved(file, provider, time, reason)
      try showReplay(
        await post(.operator(.replaySaved), body: body.json, key: nil), asJSON)
    }
  }

  private func showReplay(_ json: JSONValue, _ asJSON: Bool) throws(CommandFailure) {
    if asJSON { printJSON(json) } else { printReplay(json) }
    guard json["webhook"]?["state"]?.text != "queued" else {
      throw CommandFailure(
        .notKnownYet, "it could not be worked off now, and is tried again by itself")
    }
  }

  /// What can stand in a query as it is.
  private func word(_ text: String) throws(CommandFailure) -> String {
    guard text.utf8.allSatisfy({ (97...122).contains($0) }) else {
      throw CommandFailure(.wrongData, "a provider's name is a word in lower case")
    }
    return text
  }

  /// A file as a proxy or a person saved it: perhaps a request line, header lines, an empty line,
  /// and the body byte for byte.
  private func saved(
    _ file: String, _ provider: String, _ time: String?, _ reason: String
  ) throws(CommandFailure) -> ReplayBody {
    let bytes: [UInt8]
    do {
      bytes = try readFile(file)
    } catch {
      throw CommandFailure(.notFound, "\(file) cannot be read: \(error)")
    }
    var receivedAt: Instant?
    if let time {
      receivedAt = Instant(iso8601: time)
      guard receivedAt != nil else {
        throw CommandFailure(.wrongData, "--received-at takes a time as 2026-09-21T15:33:20Z")
      }
    }
    guard let delivery = SavedDelivery(bytes) else {
      throw CommandFailure(
        .wrongData, "\(file) holds no delivery: header lines, an empty line, a body in UTF-8")
    }
    return ReplayBody(
      provider: ProviderName(provider), headers: delivery.headers, body: delivery.body,
      receivedAt: receivedAt, reason: reason)
  }
}

/// A delivery in a file.
struct SavedDelivery {
  let headers: [ReplayBody.Header]
  let body: String

  init?(_ bytes: [UInt8]) {
    var headers: [ReplayBody.Header] = []
    var rest = bytes[...]
    while true {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      var line = rest[..<end]
      rest = rest[(end + 1)...]
      if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
      if line.isEmpty { break }
      guard let text = String(validating: line, as: UTF8.self) else { return nil }
      if headers.isEmpty, text.hasPrefix("POST ") { continue }
      guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return nil }
      let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers.append(ReplayBody.Header(name: String(text[..<colon]), value: String(value)))
    }
    guard !rest.isEmpty, let body = String(validating: rest, as: UTF8.self) else { return nil }
    (self.headers, self.body) = (headers, body)
  }
}
