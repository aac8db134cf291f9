import ProviderSandbox

extension AccountDraft {
  /// A store for tests at Tebex.
  static func tebexDraft(_ sandbox: String?) -> AccountDraft {
    AccountDraft(
      needs: [
        Need(
          setting: "tebex[0].public_token",
          origin: "the store's public token, from Tebex' panel, API Keys",
          standIn: TebexSandboxSettings.demoPublicToken)
      ],
      product: Product(id: "6276316", title: "100 Gold", price: "5.35", currency: "USD"),
      entry: { values in
        """
          "tebex": [
            {
              // A name of yours; it is stored with each payment, so it never changes.
              "account": "main",\(places(sandbox))
              // For a store whose panel offers Test Payments alone; live needs currency and
              // webhook_secrets too.
              "mode": "test",
              // With these a basket names the buyer's address, and webhooks are taken:
              // "private_key": {"env": "TILL_TEBEX_SECRET_KEY"},
              // "webhook_secrets": [{"env": "TILL_TEBEX_WEBHOOK_SECRET"}],
              "public_token": \(quoted(values["tebex[0].public_token"]))
            }
          ],
        """
      })
  }

  private static func places(_ sandbox: String?) -> String {
    place("headless_url", sandbox, "/tebex/headless/api")
      + place("page_origin", sandbox, "/tebex/pay")
  }
}
