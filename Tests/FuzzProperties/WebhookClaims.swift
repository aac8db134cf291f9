import HTTPExchange
import KitEnvironment
import PaymentModels
import ProviderInterface
import Simulation
import StrictJSON
import SystemCrypto

/// A delivery that was not made with the secret is never taken for the provider's, one that was is,
/// and one that was changed on the way is not. The first byte says whose, a line is the header's
/// value, the rest is the body.
func checkWebhooks(_ bytes: [UInt8]) throws(BrokenClaim) {
  var input = FuzzInput(bytes)
  let provider = input.choice(from: FuzzShop.providers)
  let flips = Int(input.byte())
  let value = input.textLine()
  let body = input.remainder()
  let signer = DeliverySigner(provider.name)
  if let signer {
    let forged = signer.request(value: value, body)
    if value != signer.value(body) {
      try hold(isUnauthentic(provider.inspectWebhook(forged)), "nobody signs without the secret")
    }
    let signed = signer.request(value: signer.value(body), body)
    let inspection = provider.inspectWebhook(signed)
    try hold(!isUnauthentic(inspection), "what is signed with the secret is the provider's")
    try checkContent(inspection, provider, body)
    try checkChanged(signer, provider, body, flips)
  } else {
    let request = HTTPRequest(method: "POST", target: "/webhooks/\(provider.name)", body: body)
    try checkContent(provider.inspectWebhook(request), provider, body)
  }
}

private func checkChanged(
  _ signer: DeliverySigner, _ provider: any PaymentProvider, _ body: [UInt8], _ flips: Int
) throws(BrokenClaim) {
  var bare = signer.request(value: signer.value(body), body)
  bare.headers[signer.header] = nil
  try hold(isUnauthentic(provider.inspectWebhook(bare)), "a delivery without a header is nobody's")
  for value in respelt(signer.value(body), flips) {
    try hold(
      isUnauthentic(provider.inspectWebhook(signer.request(value: value, body))),
      "a part of what was signed, or another character in it, is nobody's")
  }
  guard signer.coversBody, !body.isEmpty else { return }
  var changed = body
  changed[flips % body.count] ^= 1
  try hold(
    isUnauthentic(provider.inspectWebhook(signer.request(value: signer.value(body), changed))),
    "a body that was changed is not what was signed")
  if signer.isStamped {
    for distance in [Int64(-301), 301] {
      let old = signer.request(value: signer.value(body, secondsOff: distance), body)
      try hold(isUnauthentic(provider.inspectWebhook(old)), "a stamp runs out")
    }
  }
}

/// A header's value cut short, longer, and with one character changed. Guessing none of them, a
/// fuzzer would not see a comparison that stops too early.
private func respelt(_ value: String, _ place: Int) -> [String] {
  var changed = Array(value.utf8)
  let place = place % changed.count
  changed[place] ^= 1
  return [
    String(value.prefix(place)), String(value.dropLast()), value + "0",
    String(decoding: changed, as: UTF8.self),
  ]
}

private func isUnauthentic(_ inspection: WebhookInspection) -> Bool {
  if case .unauthentic = inspection { true } else { false }
}

private func checkContent(
  _ inspection: WebhookInspection, _ provider: any PaymentProvider, _ body: [UInt8]
) throws(BrokenClaim) {
  let json = try? JSONValue(parsing: body)
  switch inspection {
  case .unauthentic, .malformed: break
  case .handshake(let answer):
    try hold((try? JSONValue(parsing: answer)) != nil, "the answer to a handshake is JSON")
  case .notice(let notice):
    try hold(json != nil, "only what can be read is taken")
    if let id = notice.providerPaymentID {
      try hold(isToken(id.rawValue), "an id is one that can stand in a path")
    }
    if let reference = notice.paymentReference, provider.name != .futa, provider.name != .rais {
      try hold(isCanonicalUUID(reference), "a reference is one of ours")
    }
    try checkProof(notice, provider, body, json)
  }
}

private func checkProof(
  _ notice: WebhookNotice, _ provider: any PaymentProvider, _ body: [UInt8], _ json: JSONValue?
) throws(BrokenClaim) {
  guard notice.isProof else { return }
  let payment = notice.providerPaymentID ?? ProviderPaymentID("basket-1")
  guard let proof = provider.webhookProof(body, of: payment) else { return }
  try hold(proof.reading.providerPaymentID == payment, "a proof is the payment's own")
  try AnswerJudge(name: provider.name, json: json, isSuccess: true).check(proof.reading)
}

/// Makes deliveries as a provider does; there is none for one that signs nothing.
private struct DeliverySigner {
  let header: String
  let coversBody: Bool
  let isStamped: Bool
  private let secret: String

  init?(_ provider: ProviderName) {
    switch provider {
    case .tabby: (header, coversBody, isStamped) = (WorldProviders.tabbyHeader, false, false)
    case .futa: (header, coversBody, isStamped) = ("Futa-Signature", true, true)
    case .rais: (header, coversBody, isStamped) = ("Rais-Signature", true, true)
    case .tebex: (header, coversBody, isStamped) = ("X-Signature", true, false)
    default: return nil
    }
    secret = WorldProviders.webhookSecret(provider.rawValue, 0).reveal()
  }

  func request(value: String, _ body: [UInt8]) -> HTTPRequest {
    HTTPRequest(method: "POST", target: "/webhooks/x", headers: [header: value], body: body)
  }

  func value(_ body: [UInt8], secondsOff: Int64 = 0) -> String {
    let stamp = FuzzShop.now.milliseconds / 1_000 + secondsOff
    if !coversBody { return secret }
    if isStamped { return "t=\(stamp),v1=\(hmac(Array("\(stamp).".utf8) + body))" }
    return hmac(Array(hexText(Hashing.openSSL.sha256(body)).utf8))
  }

  private func hmac(_ message: [UInt8]) -> String {
    hexText(Hashing.openSSL.hmacSHA256(Array(secret.utf8), message))
  }
}
