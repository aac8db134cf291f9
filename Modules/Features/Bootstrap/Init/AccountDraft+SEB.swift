import PaymentModels
import ProviderSandbox

extension AccountDraft {
  /// An account for tests at SEB.
  static func sebDraft(_ sandbox: String?) -> AccountDraft {
    let demo = SEBSandboxClient.demo
    let portal = "from SEB's merchant portal: Settings, Shop Settings, Technical Information"
    return AccountDraft(
      needs: [
        Need(setting: "seb[0].client_id", origin: portal, standIn: demo.id),
        Need(
          setting: "seb[0].client_secret", variable: "TILL_SEB_CLIENT_SECRET", origin: portal,
          standIn: demo.secret.reveal()),
        Need(setting: "seb[0].participant_id", origin: portal, standIn: demo.participantID),
        Need(setting: "seb[0].shop_agreement_id", origin: portal, standIn: demo.shopAgreementID),
      ],
      product: Product(id: "sauna", title: "Sauna bucket", price: "129.90", currency: "EUR"),
      entry: { values in
        """
          "seb": [
            {
              // A name of yours; it is stored with each payment, so it never changes.
              "account": "main",\(places(sandbox))
              // live needs base_url, token_url, currencies, capture and captured_states too.
              "mode": "test",
              "client_id": \(quoted(values["seb[0].client_id"])),
              "client_secret": {"env": "TILL_SEB_CLIENT_SECRET"},
              "participant_id": \(quoted(values["seb[0].participant_id"])),
              "shop_agreement_id": \(quoted(values["seb[0].shop_agreement_id"]))
            }
          ],
        """
      })
  }

  private static func places(_ sandbox: String?) -> String {
    place("base_url", sandbox, "/seb") + place("token_url", sandbox, "/seb/auth/token")
  }
}
