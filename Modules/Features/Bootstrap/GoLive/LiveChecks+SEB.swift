import MerchantCommands
import PaymentModels
import SEBProvider

extension SEBProvider: LiveChecked {
  func liveChecks(_ checkup: AccountCheckup) async -> [LiveCheck] {
    let (key, reading) = await checkup.keyByRead()
    return [
      key, checkup.mode(reading?.mode, knownBy: .nothing), checkup.currency(),
      await checkup.reach(),
      checkup.delivery(
        advice: "enter the address in the merchant portal, Shop Settings, then make a payment"),
      checkup.payment(), checkup.refund(),
      checkup.you(
        "words", "SEB has told you its words for a payment's states; the settings have them."),
      checkup.you("return", "The app stops at the very return address that the server sends."),
      checkup.you(
        "banks", "A payment by bank that is still being processed was tried, and shown as such."),
    ]
  }
}
