import MerchantAPI
import PaymentModels
import StrictJSON

extension TillRunner {
  func pause(
    _ provider: String, _ account: String?, _ isPaused: Bool, _ reason: String, _ asJSON: Bool
  ) async throws(CommandFailure) {
    guard provider.utf8.allSatisfy({ (97...122).contains($0) }) else {
      throw CommandFailure(.wrongData, "a provider's name is a word in lower case")
    }
    let name = ProviderName(provider)
    let body = PauseBody(account: account.map { ProviderAccount($0) }, reason: reason)
    let route: OperatorRoute = isPaused ? .pauseProvider(name) : .resumeProvider(name)
    printProviders(try await post(.operator(route), body: body.json, key: nil), asJSON)
  }

  func printProviders(_ json: JSONValue, _ asJSON: Bool) {
    guard !asJSON else { return printJSON(json) }
    let rows = (json["providers"]?.elements ?? []).map { account in
      [
        text(account, "provider"), text(account, "account"),
        account["paused"]?.boolean == true
          ? "paused since \(text(account, "paused_at")) by \(text(account, "paused_by")): "
            + text(account, "reason")
          : "open",
      ]
    }
    terminal.table(rows, heading: ["PROVIDER", "ACCOUNT", "NEW CHECKOUTS"])
  }

  func erase(
    _ subject: String, _ reason: String, _ asJSON: Bool
  ) async throws(CommandFailure) {
    let json = try await post(
      .operator(.eraseBuyer), body: EraseBody(subject: Subject(subject), reason: reason).json,
      key: nil)
    if asJSON { printJSON(json) } else { printErased(json) }
    guard json["gone_from_disk"]?.boolean == true else {
      throw CommandFailure(
        .notKnownYet, "a reader held the old rows, which may still be in the files; repeat it")
    }
    guard json["waiting"]?.int64 == 0 else {
      throw CommandFailure(.notKnownYet, "what is still worked on is not erased yet; repeat it")
    }
  }

  private func printErased(_ json: JSONValue) {
    let erased = json["erased"] ?? .null
    let count = { (name: String) in erased[name]?.numberText ?? "?" }
    terminal.table([
      ["subject", text(json, "subject")], ["orders", json["orders"]?.numberText ?? "?"],
      [
        "erased",
        "\(count("webhook_bodies")) webhook bodies, \(count("requests")) requests, "
          + "\(count("pages")) pages",
      ],
      ["waiting", json["waiting"]?.numberText ?? "?"],
    ])
    for line in json["kept"]?.elements ?? [] {
      terminal.line("kept     \(printable(line.text ?? ""))")
    }
  }
}
