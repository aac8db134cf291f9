import PaymentModels
import ProviderSandbox

extension AccountDraft {
  /// An account for tests at Raïs.
  static func raisDraft(_ sandbox: String?) -> AccountDraft {
    AccountDraft(
      needs: [
        Need(
          setting: "rais[0].secret_key", variable: "TILL_RAIS_SECRET_KEY",
          origin: "the test key that Raïs gave you; it begins with rais_sk_test_",
          standIn: RaisSandboxSettings.demoSecretKey.reveal())
      ],
      product: Product(id: "radio", title: "Radio", price: "500000", currency: "GNF"),
      entry: { _ in
        """
          "rais": [
            {
              // A name of yours; it is stored with each payment, so it never changes.
              "account": "main",\(place("base_url", sandbox, "/rais/v1"))
              // Once Raïs has told you the secret of its webhooks; a live key needs it, and
              // currency and exponent:
              // "webhook": {"secrets": [{"env": "TILL_RAIS_WEBHOOK_SECRET"}]},
              "secret_key": {"env": "TILL_RAIS_SECRET_KEY"}
            }
          ],
        """
      })
  }
}
