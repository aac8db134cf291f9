/// Words of the fake SEB's pages in one language.
struct SEBTexts: Sendable {
  let code: String
  let shop = "Till & Co"
  let payTo: String
  let order: String
  let chooseTitle: String
  let chooseHint: String
  let tryFailed: String
  let card: String
  let bank: String
  let clickToPay: String
  let otherMethod: String
  let cardHint: String
  let cardNumber: String
  let expiry: String
  let cvv: String
  let cardError: String
  let pay: String
  let bankName: String
  let secureTitle: String
  let secureHint: String
  let codeLabel: String
  let codeError: String
  let confirm: String
  let bankHint: String
  let mockBank: String
  let bankTexts: BankTexts
  let clickToPayHint: String
  let email: String
  let emailError: String
  let paidTitle: String
  let paidHint: String
  let waitTitle: String
  let waitHint: String
  let endedTitle: String
  let endedHint: String
  let backToShop: String
  let unknownTitle: String
  let unknownHint: String
  let footer: String

  /// Estonian where it was asked for, else English.
  static func language(_ code: String?) -> SEBTexts { code == "et" ? .estonian : .english }

  static let english = SEBTexts(
    code: "en", payTo: "Pay", order: "Order",
    chooseTitle: "How do you want to pay?", chooseHint: "Choose a method.",
    tryFailed: "This did not work. Nothing was charged; try again or choose another method.",
    card: "Card", bank: "Pay by Bank", clickToPay: "Click to Pay",
    otherMethod: "Choose another method",
    cardHint: "Enter your card. Your bank then asks you to confirm.", cardNumber: "Card number",
    expiry: "Expiry", cvv: "Security code", cardError: "This is no test card of the sandbox.",
    pay: "Pay", bankName: "Your bank", secureTitle: "Confirm the payment",
    secureHint: "3-D Secure: enter the code that your bank has sent you.",
    codeLabel: "One-time code", codeError: "This code is not right. Please try again.",
    confirm: "Confirm", bankHint: "You confirm the payment with your bank.",
    mockBank: "Mock Bank",
    bankTexts: BankTexts(
      title: "Mock Bank", question: "Do you want to pay this amount from your account?",
      approve: "Confirm", decline: "Decline"),
    clickToPayHint: "Demo: any e-mail address pays.", email: "E-mail",
    emailError: "This is no e-mail address.",
    paidTitle: "Paid", paidHint: "Thank you. You can go back to the shop.",
    waitTitle: "Your bank is working on it",
    waitHint: "The payment was sent for processing. The shop will tell you when it is there.",
    endedTitle: "This payment has ended", endedHint: "Nothing was charged.",
    backToShop: "Back to Till & Co",
    unknownTitle: "This link is not valid", unknownHint: "Go back to the shop to start again.",
    footer: "Sandbox: no money moves. Cards: 5186 0000 0000 0005 pays, 5186 0000 0000 0013 fails. "
      + "The code is 1234.")

  static let estonian = SEBTexts(
    code: "et", payTo: "Maksa", order: "Tellimus",
    chooseTitle: "Kuidas soovid maksta?", chooseHint: "Vali makseviis.",
    tryFailed: "Makse ei õnnestunud. Raha ei võetud; proovi uuesti või vali teine makseviis.",
    card: "Kaart", bank: "Maksa pangas", clickToPay: "Click to Pay",
    otherMethod: "Vali teine makseviis",
    cardHint: "Sisesta kaardi andmed. Seejärel palub pank makset kinnitada.",
    cardNumber: "Kaardi number", expiry: "Kehtiv kuni", cvv: "Turvakood",
    cardError: "See ei ole testkaart.", pay: "Maksa", bankName: "Sinu pank",
    secureTitle: "Kinnita makse", secureHint: "3-D Secure: sisesta kood, mille pank sulle saatis.",
    codeLabel: "Ühekordne kood", codeError: "Kood ei ole õige. Proovi uuesti.",
    confirm: "Kinnita", bankHint: "Makse kinnitad oma pangas.", mockBank: "Testpank",
    bankTexts: BankTexts(
      title: "Testpank", question: "Kas soovid selle summa oma kontolt maksta?",
      approve: "Kinnita", decline: "Keeldu"),
    clickToPayHint: "Näidis: iga e-posti aadress maksab.", email: "E-post",
    emailError: "See ei ole e-posti aadress.",
    paidTitle: "Makstud", paidHint: "Aitäh. Võid poodi tagasi minna.",
    waitTitle: "Pank töötleb makset",
    waitHint: "Makse on saadetud töötlemisele. Pood annab teada, kui raha on kohal.",
    endedTitle: "See makse on lõppenud", endedHint: "Raha ei võetud.",
    backToShop: "Tagasi poodi Till & Co",
    unknownTitle: "See link ei kehti", unknownHint: "Mine tagasi poodi ja alusta uuesti.",
    footer: "Testkeskkond: raha ei liigu. Kaardid: 5186 0000 0000 0005 maksab, "
      + "5186 0000 0000 0013 ei maksa. Kood on 1234.")
}
