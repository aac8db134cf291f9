import MerchantCommands
import PaymentModels
import RaisProvider

extension RaisProvider: LiveChecked {
  func liveChecks(_ checkup: AccountCheckup) async -> [LiveCheck] {
    let (key, reading) = await checkup.keyByRead()
    return [key, checkup.mode(reading?.mode, knownBy: .key), checkup.currency()]
      + [checkup.unit(configuration.currencyCode, exponent: configuration.wireExponent)]
      + checkup.signature(configuration.settings.webhook)
      + [
        await checkup.reach(),
        checkup.delivery(advice: "tell Raïs the address, then make a payment"), checkup.payment(),
        checkup.refund(),
        checkup.you(
          "endings", "A closed sheet and a killed app were tried with the sandbox's test cards."),
        checkup.you("browser", "The app shows the page in the platform's secure browser."),
      ]
  }
}
