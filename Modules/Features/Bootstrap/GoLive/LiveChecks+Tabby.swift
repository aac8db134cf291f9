import MerchantCommands
import PaymentModels
import ProviderInterface
import TabbyProvider

extension TabbyProvider: LiveChecked {
  func liveChecks(_ checkup: AccountCheckup) async -> [LiveCheck] {
    let (key, webhook, seen) = await registration(checkup)
    return [
      key, checkup.mode(await mode(seen), knownBy: .key), checkup.currency(), webhook,
      await checkup.reach(),
      checkup.delivery(advice: "make a payment: the provider then delivers to what is registered"),
      checkup.payment(), checkup.refund(),
      checkup.you(
        "approval", "Tabby has gone through its testing checklist with you and opened live."),
      checkup.you(
        "expiry", "Tabby sends no webhook for an expired payment unless it was asked to."),
      checkup.you(
        "camera", "An app that shows the page in a web view may use camera and photographs."),
    ]
  }

  /// The list of webhooks belongs to this very key and merchant code, so its answer is about both.
  private func registration(
    _ checkup: AccountCheckup
  ) async -> (key: LiveCheck, webhook: LiveCheck, seen: PaymentMode?) {
    do throws(ProviderError) {
      let all = try await webhooks()
      let key = checkup.check(
        "key", .yes,
        "key and merchant code \(configuration.merchantCode) are taken at \(configuration.baseURL)")
      return (key, webhook(all, checkup), all.compactMap(\.mode).first)
    } catch {
      // Tabby answers a key of the other region with 403.
      var key = checkup.key(failing: error)
      if error.status == 403 {
        key.advice = "is the account one of \(configuration.baseURL)? The other region refuses it"
      }
      let webhook = checkup.check("webhook", .cannotTell, "the list of webhooks was not given")
      return (key, webhook, nil)
    }
  }

  private func webhook(_ all: [RegisteredWebhook], _ checkup: AccountCheckup) -> LiveCheck {
    let wanted = checkup.path.webhookURL(name.rawValue)
    let ours = all.filter {
      wanted == nil ? $0.url.hasSuffix("/webhooks/\(name)") : $0.url == wanted
    }
    let address = wanted ?? "https://pay.shop.example/webhooks/\(name)"
    let register = "till endpoint register \(address) --config FILE --account \(account)"
    guard let found = ours.first(where: \.isCurrent) ?? ours.first else {
      let others = all.isEmpty ? "none at all" : "\(all.count) others"
      return checkup.check(
        "webhook", .no,
        "for this key and merchant code none leads to \(wanted ?? "/webhooks/\(name)"): \(others)",
        advice: register)
    }
    guard found.isCurrent else {
      return checkup.check(
        "webhook", .no, "the one at \(found.url) does not carry the settings' first secret",
        advice: register)
    }
    guard found.mode == nil || found.mode == mode else {
      return checkup.check(
        "webhook", .no, "the one at \(found.url) is for the other mode", advice: register)
    }
    return checkup.check(
      "webhook", .yes, "registered for this key and merchant code at \(found.url)")
  }

  /// What Tabby says of payments that this key sees, where no webhook said it.
  private func mode(_ seen: PaymentMode?) async -> PaymentMode? {
    if let seen { return seen }
    return try? await list(TabbyListQuery(limit: 1)).readings.first?.mode
  }
}
