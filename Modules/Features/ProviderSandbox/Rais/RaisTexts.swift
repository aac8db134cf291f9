/// Words of the fake Raïs' pages in one language.
struct RaisTexts: Sendable {
  let code: String
  let payTo: String
  let reference: String
  let cardTitle: String
  let cardHint: String
  let cardLabel: String
  let cardError: String
  let declined: String
  let pay: String
  let bankName: String
  let secureTitle: String
  let secureHint: String
  let codeLabel: String
  let codeError: String
  let confirm: String
  let paidTitle: String
  let paidHint: String
  let returnTo: String
  let endedTitle: String
  let endedHint: String
  let backTo: String
  let unknownTitle: String
  let unknownHint: String
  let footer: String

  /// English for every language that begins with `en`, else French, the only documented one.
  static func language(_ code: String) -> RaisTexts {
    code.lowercased().hasPrefix("en") ? .english : .french
  }

  static let french = RaisTexts(
    code: "fr", payTo: "Payer à", reference: "Référence",
    cardTitle: "Payer par carte",
    cardHint: "Entrez votre carte. Votre banque vous demandera ensuite de confirmer.",
    cardLabel: "Numéro de carte", cardError: "Ce numéro de carte n’est pas valide.",
    declined: "Votre banque a refusé cette carte. Rien n’a été débité ; réessayez.",
    pay: "Payer", bankName: "Votre banque", secureTitle: "Confirmez le paiement",
    secureHint: "3-D Secure : entrez le code que votre banque vous a envoyé.",
    codeLabel: "Code à usage unique", codeError: "Ce code n’est pas le bon. Réessayez.",
    confirm: "Confirmer",
    paidTitle: "Paiement réussi", paidHint: "Merci. Gardez ce numéro :",
    returnTo: "Retourner chez Till & Co",
    endedTitle: "Ce paiement est terminé", endedHint: "Rien n’a été débité sous ce numéro :",
    backTo: "Revenir chez Till & Co",
    unknownTitle: "Ce lien n’est pas valide",
    unknownHint: "Retournez à la boutique pour recommencer.",
    footer: "Bac à sable : aucun argent ne bouge. Cartes : …0001 paie, …0002 est refusée, …0003 "
      + "est refusée après le code. Le code est 1234.")

  static let english = RaisTexts(
    code: "en", payTo: "Pay", reference: "Reference",
    cardTitle: "Pay by card",
    cardHint: "Enter your card. Your bank then asks you to confirm.",
    cardLabel: "Card number", cardError: "This is not a card number.",
    declined: "Your bank declined this card. Nothing was charged; please try again.",
    pay: "Pay", bankName: "Your bank", secureTitle: "Confirm the payment",
    secureHint: "3-D Secure: enter the code that your bank has sent you.",
    codeLabel: "One-time code", codeError: "This code is not right. Please try again.",
    confirm: "Confirm",
    paidTitle: "Paid", paidHint: "Thank you. Keep this number:",
    returnTo: "Return to Till & Co",
    endedTitle: "This payment has ended", endedHint: "Nothing was charged under this number:",
    backTo: "Back to Till & Co",
    unknownTitle: "This link is not valid", unknownHint: "Go back to the shop to start again.",
    footer: "Sandbox: no money moves. Cards: …0001 pays, …0002 is declined, …0003 is declined "
      + "after the code. The code is 1234.")
}
