import FutaProvider
import MerchantCommands
import PaymentModels

extension FutaProvider: LiveChecked {
  func liveChecks(_ checkup: AccountCheckup) async -> [LiveCheck] {
    let (key, reading) = await checkup.keyByRead()
    return [key, checkup.mode(reading?.mode, knownBy: .nothing), checkup.currency()]
      + [checkup.unit(configuration.currencyCode, exponent: configuration.wireExponent)]
      + checkup.signature(configuration.settings.webhook)
      + [
        await checkup.reach(),
        checkup.delivery(advice: "tell Futa the address, then make a payment"), checkup.payment(),
        checkup.refund(),
        checkup.you(
          "words", "Futa has told you its words for a payment's states; the settings have them."),
        checkup.you(
          "origin", "The app trusts \(configuration.checkoutOrigin), the live page's, and no other."
        ),
        checkup.you(
          "record", "The app records nothing of what the payer types, a phone number included."),
      ]
  }
}
