import PaymentModels
import ProviderSandbox

extension AccountDraft {
  /// An account for tests at Tabby.
  static func tabbyDraft(_ sandbox: String?) -> AccountDraft {
    AccountDraft(
      needs: [
        Need(
          setting: "tabby[0].merchant_code",
          origin: "the code of the store that Tabby gave you, such as AE", standIn: "AE"),
        Need(
          setting: "tabby[0].secret_key", variable: "TILL_TABBY_SECRET_KEY",
          origin: "the secret key for tests that Tabby gave you; it begins with sk_test_",
          standIn: TabbySandboxSettings.demoSecretKey.reveal()),
      ],
      ownSecrets: [
        OwnSecret(
          variable: "TILL_TABBY_WEBHOOK_SECRET", prefix: "whk_",
          use: "stands in a header of Tabby's webhooks; till endpoint register tells it to Tabby")
      ],
      product: Product(id: "lamp", title: "Desk lamp", price: "340.00", currency: "AED"),
      payer: ("otp.success@tabby.ai", "+971500000001"),
      entry: { values in
        """
          "tabby": [
            {
              // A name of yours; it is stored with each payment, so it never changes.
              "account": "main",\(place("base_url", sandbox, ""))
              // emirates_and_kuwait, or saudi_arabia
              "region": "emirates_and_kuwait",
              "merchant_code": \(quoted(values["tabby[0].merchant_code"])),
              "secret_key": {"env": "TILL_TABBY_SECRET_KEY"},
              "webhook_header": {
                "title": "X-Webhook-Token",
                "values": [{"env": "TILL_TABBY_WEBHOOK_SECRET"}]
              }
            }
          ],
        """
      })
  }
}
