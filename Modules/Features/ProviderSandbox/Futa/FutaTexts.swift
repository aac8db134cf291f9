/// Words of the fake Futa's pages in one language.
struct FutaTexts: Sendable {
  let code: String
  let payTo: String
  let order: String
  let shop: String
  let chooseTitle: String
  let chooseHint: String
  let phoneLabel: String
  let phoneError: String
  let tryFailed: String
  let payByPhone: String
  let payByBank: String
  let bankHint: String
  let cancel: String
  let waitTitle: String
  let waitHint: String
  let backToChoice: String
  let paidTitle: String
  let paidHint: String
  let receipt: String
  let receiptTitle: String
  let failedTitle: String
  let failedHint: String
  let endedTitle: String
  let endedHint: String
  let backToShop: String
  let bankName: String
  let bankTitle: String
  let bankQuestion: String
  let approve: String
  let decline: String
  let bankDoneTitle: String
  let bankDoneHint: String
  let bankDeclinedTitle: String
  let bankDeclinedHint: String
  let unknownTitle: String
  let unknownHint: String
  let footer: String

  var bankTexts: BankTexts {
    BankTexts(title: bankTitle, question: bankQuestion, approve: approve, decline: decline)
  }

  /// The language that a browser asks for first; Futa's create names none. English unless it is
  /// French.
  static func preferred(_ acceptLanguage: String?) -> FutaTexts {
    (acceptLanguage ?? "").lowercased().hasPrefix("fr") ? .french : .english
  }

  static let english = FutaTexts(
    code: "en", payTo: "Pay", order: "Reference", shop: "Till & Co",
    chooseTitle: "How would you like to pay?",
    chooseHint: "Enter your mobile money number, or go to your bank.",
    phoneLabel: "Mobile money number",
    phoneError: "This does not look like a phone number.",
    tryFailed: "That did not work. Nothing was charged; try again or choose another way.",
    payByPhone: "Pay with mobile money", payByBank: "Pay at my bank",
    bankHint: "Your bank opens outside the app.", cancel: "Go back to the shop",
    waitTitle: "Confirm the payment",
    waitHint: "We are waiting for your phone company or your bank.",
    backToChoice: "Choose another way",
    paidTitle: "Paid", paidHint: "Thank you. You can go back to the shop.",
    receipt: "Receipt", receiptTitle: "Receipt",
    failedTitle: "The payment failed", failedHint: "Nothing was charged.",
    endedTitle: "This checkout has ended", endedHint: "Go back to the shop to start again.",
    backToShop: "Back to shop", bankName: "Your bank", bankTitle: "Payment request",
    bankQuestion: "Do you approve this payment?", approve: "Approve", decline: "Decline",
    bankDoneTitle: "Approved", bankDoneHint: "Go back to the shop; it is told about it.",
    bankDeclinedTitle: "Declined", bankDeclinedHint: "Nothing was charged.",
    unknownTitle: "This link is not valid", unknownHint: "Go back to the shop to start again.",
    footer: "Sandbox: no money moves. Numbers that end in 01 pay, 02 fail once, 03 fail for good, "
      + "04 wait.")

  static let french = FutaTexts(
    code: "fr", payTo: "Payer", order: "Référence", shop: "Till & Co",
    chooseTitle: "Comment voulez-vous payer ?",
    chooseHint: "Entrez votre numéro mobile money, ou passez par votre banque.",
    phoneLabel: "Numéro mobile money",
    phoneError: "Ce numéro ne semble pas valide.",
    tryFailed: "Cela n’a pas marché. Rien n’a été débité ; réessayez ou changez de moyen.",
    payByPhone: "Payer par mobile money", payByBank: "Payer par ma banque",
    bankHint: "Votre banque s’ouvre hors de l’application.", cancel: "Retourner à la boutique",
    waitTitle: "Confirmez le paiement",
    waitHint: "Nous attendons votre opérateur ou votre banque.",
    backToChoice: "Choisir un autre moyen",
    paidTitle: "Payé", paidHint: "Merci. Vous pouvez retourner à la boutique.",
    receipt: "Reçu", receiptTitle: "Reçu",
    failedTitle: "Le paiement a échoué", failedHint: "Rien n’a été débité.",
    endedTitle: "Ce paiement est terminé",
    endedHint: "Retournez à la boutique pour recommencer.",
    backToShop: "Retour à la boutique", bankName: "Votre banque",
    bankTitle: "Demande de paiement", bankQuestion: "Approuvez-vous ce paiement ?",
    approve: "Approuver", decline: "Refuser", bankDoneTitle: "Approuvé",
    bankDoneHint: "Retournez à la boutique ; elle en est informée.",
    bankDeclinedTitle: "Refusé", bankDeclinedHint: "Rien n’a été débité.",
    unknownTitle: "Ce lien n’est pas valide",
    unknownHint: "Retournez à la boutique pour recommencer.",
    footer: "Bac à sable : aucun argent ne bouge. Les numéros en 01 paient, 02 échouent une fois, "
      + "03 échouent, 04 attendent.")
}
