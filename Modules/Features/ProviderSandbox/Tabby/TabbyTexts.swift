/// Words of the hosted page in one language.
struct TabbyTexts: Sendable {
  let code: String
  let direction: String
  let steps: [String]
  let payTo: String
  let order: String
  let cancel: String
  let next: String
  let phoneTitle: String
  let phoneHint: String
  let phoneLabel: String
  let phoneError: String
  let codeTitle: String
  let codeHint: String
  let codeLabel: String
  let codeError: String
  let documentTitle: String
  let documentHint: String
  let documentLabel: String
  let documentError: String
  let planTitle: String
  let planHint: String
  let dueLabels: [String]
  let total: String
  let methodLabel: String
  let card: String
  let cardHint: String
  let bank: String
  let bankHint: String
  let pay: String
  let bankDeclined: String
  let waitTitle: String
  let waitHint: String
  let openBank: String
  let bankName: String
  let bankTitle: String
  let bankQuestion: String
  let approve: String
  let decline: String
  let bankDoneTitle: String
  let bankDoneHint: String
  let backToCheckout: String
  let successTitle: String
  let successHint: String
  let rejectedTitle: String
  let rejectedHint: String
  let expiredTitle: String
  let expiredHint: String
  let backToShop: String
  let closeTitle: String
  let closeHint: String
  let unknownTitle: String
  let unknownHint: String
  let footer: String
  let months: [String]

  var bankTexts: BankTexts {
    BankTexts(title: bankTitle, question: bankQuestion, approve: approve, decline: decline)
  }

  /// Arabic for every language that begins with `ar`, else English.
  static func language(_ code: String) -> TabbyTexts { code.hasPrefix("ar") ? .arabic : .english }
}

extension TabbyTexts {
  static let english = TabbyTexts(
    code: "en", direction: "ltr",
    steps: ["Phone", "Code", "Plan", "Done"],
    payTo: "Pay", order: "Order", cancel: "Cancel and go back to the shop", next: "Continue",
    phoneTitle: "Enter your phone number",
    phoneHint: "We send a code to this number to make sure that it is you.",
    phoneLabel: "Mobile number", phoneError: "This does not look like a phone number.",
    codeTitle: "Enter the code", codeHint: "We sent four digits to",
    codeLabel: "One-time code",
    codeError: "This code is not right. Please try again.",
    documentTitle: "Show your ID",
    documentHint: "New customers add a picture of their national ID once.",
    documentLabel: "Picture of your ID", documentError: "Please choose a picture.",
    planTitle: "Split in 4, no fees",
    planHint: "Pay a quarter now and the rest over three months.",
    dueLabels: ["Today", "In 1 month", "In 2 months", "In 3 months"], total: "Total",
    methodLabel: "Pay the first part with",
    card: "Card", cardHint: "\u{2066}•••• 4242\u{2069}",
    bank: "Bank app", bankHint: "Confirm in your bank’s app",
    pay: "Pay", bankDeclined: "Your bank did not approve the payment. Choose how to go on.",
    waitTitle: "Confirm in your bank app",
    waitHint: "We asked your bank. Open its app, approve the payment and come back.",
    openBank: "Open bank app",
    bankName: "Your bank",
    bankTitle: "Payment request", bankQuestion: "Do you approve this payment?",
    approve: "Approve", decline: "Decline",
    bankDoneTitle: "Approved",
    bankDoneHint: "You can close this app now. The shop is told about it.",
    backToCheckout: "Back to checkout",
    successTitle: "All set", successHint: "Your first part is paid. We take you back to the shop.",
    rejectedTitle: "We can’t approve this purchase",
    rejectedHint: "Nothing was charged. Please use another way to pay.",
    expiredTitle: "This checkout has ended",
    expiredHint: "Nothing was charged. Go back to the shop to start again.",
    backToShop: "Back to shop",
    closeTitle: "You can close this page", closeHint: "Go back to the app to see your order.",
    unknownTitle: "This link is not valid", unknownHint: "Go back to the shop to start again.",
    footer: "Sandbox: no money moves and no message is sent. The code is 8888.",
    months: [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ])

  static let arabic = TabbyTexts(
    code: "ar", direction: "rtl",
    steps: ["الهاتف", "الرمز", "الخطة", "تم"],
    payTo: "الدفع إلى", order: "الطلب", cancel: "إلغاء والعودة إلى المتجر", next: "متابعة",
    phoneTitle: "أدخل رقم هاتفك",
    phoneHint: "سنرسل رمزًا إلى هذا الرقم للتأكد من هويتك.",
    phoneLabel: "رقم الجوال", phoneError: "هذا الرقم غير صحيح.",
    codeTitle: "أدخل الرمز", codeHint: "أرسلنا أربعة أرقام إلى",
    codeLabel: "رمز لمرة واحدة", codeError: "الرمز غير صحيح. حاول مرة أخرى.",
    documentTitle: "أضف هويتك",
    documentHint: "يضيف العملاء الجدد صورة الهوية الوطنية مرة واحدة.",
    documentLabel: "صورة الهوية", documentError: "يرجى اختيار صورة.",
    planTitle: "قسّمها على 4 بدون رسوم",
    planHint: "ادفع الربع الآن والباقي على ثلاثة أشهر.",
    dueLabels: ["اليوم", "بعد شهر", "بعد شهرين", "بعد 3 أشهر"], total: "المجموع",
    methodLabel: "ادفع القسط الأول عبر",
    card: "البطاقة", cardHint: "\u{2066}•••• 4242\u{2069}",
    bank: "تطبيق البنك", bankHint: "أكّد من تطبيق البنك",
    pay: "ادفع", bankDeclined: "لم يوافق البنك على الدفع. اختر طريقة للمتابعة.",
    waitTitle: "أكّد الدفع من تطبيق البنك",
    waitHint: "أرسلنا الطلب إلى البنك. افتح التطبيق ووافق على الدفع ثم عد إلى هنا.",
    openBank: "افتح تطبيق البنك",
    bankName: "بنكك",
    bankTitle: "طلب دفع", bankQuestion: "هل توافق على هذا الدفع؟",
    approve: "موافقة", decline: "رفض",
    bankDoneTitle: "تمت الموافقة",
    bankDoneHint: "يمكنك إغلاق تطبيق البنك، وسنُعلم المتجر.",
    backToCheckout: "العودة إلى الدفع",
    successTitle: "تم بنجاح", successHint: "دُفع القسط الأول. سنعيدك إلى المتجر.",
    rejectedTitle: "تعذّرت الموافقة على هذا الشراء",
    rejectedHint: "لم يُخصم أي مبلغ. يرجى استخدام طريقة دفع أخرى.",
    expiredTitle: "انتهت هذه العملية",
    expiredHint: "لم يُخصم أي مبلغ. عد إلى المتجر للبدء من جديد.",
    backToShop: "العودة إلى المتجر",
    closeTitle: "يمكنك إغلاق هذه الصفحة", closeHint: "عد إلى التطبيق لرؤية طلبك.",
    unknownTitle: "هذا الرابط غير صالح", unknownHint: "عد إلى المتجر للبدء من جديد.",
    footer: "بيئة تجريبية: لا تُحوَّل أي أموال ولا تُرسل رسائل. الرمز هو 8888.",
    months: [
      "يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر",
      "نوفمبر", "ديسمبر",
    ])
}
