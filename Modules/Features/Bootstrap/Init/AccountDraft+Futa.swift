import PaymentModels
import ProviderSandbox

extension AccountDraft {
  /// An account for tests at Futa.
  static func futaDraft(_ sandbox: String?) -> AccountDraft {
    let checkout = place("checkout_origin", sandbox, "")
    return AccountDraft(
      needs: [
        Need(
          setting: "futa[0].base_url",
          origin: "where the API of Futa's sandbox is, with https; Futa publishes none",
          standIn: (sandbox ?? usualSandbox) + "/futa"),
        Need(
          setting: "futa[0].secret_key", variable: "TILL_FUTA_SECRET_KEY",
          origin: "the secret key of Futa's sandbox",
          standIn: FutaSandboxSettings.demoSecretKey.reveal()),
      ],
      product: Product(id: "solar", title: "Solar kit", price: "25000.00", currency: "CDF"),
      returnsToWeb: true,
      entry: { values in
        """
          "futa": [
            {
              // A name of yours; it is stored with each payment, so it never changes.
              "account": "main",
              // live needs currency, exponent, paid_states and checkout_origin too.
              "mode": "test",
              "base_url": \(quoted(values["futa[0].base_url"])),\(checkout)
              // Once Futa has told you the secret of its webhooks:
              // "webhook": {"secrets": [{"env": "TILL_FUTA_WEBHOOK_SECRET"}]},
              "secret_key": {"env": "TILL_FUTA_SECRET_KEY"}
            }
          ],
        """
      })
  }
}
