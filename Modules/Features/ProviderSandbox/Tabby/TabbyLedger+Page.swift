import HTTPExchange
import PaymentModels

/// What the payer does on the hosted page and in the bank's app.
extension TabbyLedger {
  func page(_ request: HTTPRequest, _ segments: [String]) -> HTTPResponse {
    guard let visit = PageRequest(request) else { return .methodNotAllowed }
    let isStart = segments == [""] && !visit.isPost
    let session =
      isStart
      ? request.query.first { $0.name == "sessionId" }?.value
      : segments.count > 1 ? segments[1] : nil
    guard let session, let index = position(session), payments[index].sessionID == session else {
      return TabbyPage.unknown()
    }
    switch (segments[0], segments.count > 2 ? segments[2] : nil, visit.isPost) {
    case ("", nil, _):
      note(index, .pageOpened)
      return atOpenSession(index) { TabbyPage(payments[index]).phone() }
    case ("checkout", "phone", true):
      return atOpenSession(index) { enterPhone(index, visit.field("phone")) }
    case ("checkout", "otp", false):
      return atOpenSession(index) { afterPhone(index) { TabbyPage(payments[index]).code() } }
    case ("checkout", "otp", true):
      return atOpenSession(index) { afterPhone(index) { enterCode(index, visit.field("otp")) } }
    case ("checkout", "document", false):
      return atOpenSession(index) { afterCode(index) { TabbyPage(payments[index]).document() } }
    case ("checkout", "document", true):
      return atOpenSession(index) {
        afterCode(index) { enterDocument(index, visit.field("id_image")) }
      }
    case ("checkout", "plan", false):
      return atOpenSession(index) { afterCode(index) { TabbyPage(payments[index]).plan() } }
    case ("checkout", "plan", true):
      return atOpenSession(index) { afterCode(index) { choose(index, visit.field("method")) } }
    case ("checkout", "bank", false): return waitForBank(index)
    case ("checkout", "result", false):
      return atOpenSession(index) { TabbyPage(payments[index]).phone() }
    case ("checkout", "return", false): return leave(index, outcome(index))
    case ("checkout", "cancel", false): return cancelPage(index)
    case ("bank", nil, false): return atBank(index) { TabbyPage(payments[index]).bank() }
    case ("bank", nil, true): return atBank(index) { decide(index, visit.field("decision")) }
    default: return TabbyPage.unknown()
    }
  }

  // MARK: Steps

  private func enterPhone(_ index: Int, _ text: String) -> HTTPResponse {
    let digits = text.compactMap(\.wholeNumberValue)
    guard (7...15).contains(digits.count), text.count <= 24 else {
      return TabbyPage(payments[index]).phone(error: true)
    }
    payments[index].page.phone = text
    payments[index].page.hasCode = false
    note(index, .phoneEntered)
    return go(index, "otp")
  }

  private func enterCode(_ index: Int, _ text: String) -> HTTPResponse {
    // A payer with an Arabic keyboard types other digits.
    guard text.compactMap(\.wholeNumberValue) == [8, 8, 8, 8] else {
      return TabbyPage(payments[index]).code(error: true)
    }
    payments[index].page.hasCode = true
    note(index, .codeEntered)
    let email = payments[index].request.buyerEmail.lowercased()
    if email == "otp.rejected@tabby.ai" {
      conclude(index, .rejected)
      return go(index, "result")
    }
    let needsDocument = email == "id.success@tabby.ai" && !payments[index].page.hasDocument
    return go(index, needsDocument ? "document" : "plan")
  }

  private func enterDocument(_ index: Int, _ file: String) -> HTTPResponse {
    guard !file.isEmpty else { return TabbyPage(payments[index]).document(error: true) }
    payments[index].page.hasDocument = true
    note(index, .documentAdded)
    return go(index, "plan")
  }

  private func choose(_ index: Int, _ method: String) -> HTTPResponse {
    guard method == "bank" else {
      note(index, .cardChosen)
      conclude(index, .authorized)
      return go(index, "result")
    }
    note(index, .bankChosen)
    payments[index].page.waitsForBank = true
    return go(index, "bank")
  }

  private func waitForBank(_ index: Int) -> HTTPResponse {
    let payment = payments[index]
    if payment.status != .created || payment.page.isConfirmed { return go(index, "result") }
    guard payment.page.waitsForBank else { return go(index, "plan") }
    return TabbyPage(payment).bankWait()
  }

  private func decide(_ index: Int, _ decision: String) -> HTTPResponse {
    switch decision {
    case "approve":
      note(index, .bankApproved)
      conclude(index, .authorized)
      return TabbyPage(payments[index]).bankDone()
    case "decline":
      note(index, .bankDeclined)
      payments[index].page.waitsForBank = false
      payments[index].page.bankDeclines += 1
      return go(index, "plan")
    default:
      return TabbyPage(payments[index]).bank()
    }
  }

  private func cancelPage(_ index: Int) -> HTTPResponse {
    guard payments[index].status == .created, !payments[index].page.isConfirmed else {
      return go(index, "result")
    }
    note(index, .cancelFollowed)
    if !faults(of: index).cancelLeavesCreated { setStatus(index, .expired, at: now) }
    return leave(index, .expired)
  }

  // MARK: Ways on

  private func go(_ index: Int, _ step: String) -> HTTPResponse {
    .seeOther("/checkout/\(payments[index].sessionID)/\(step)")
  }

  /// To the merchant, with nothing but the payment's id.
  private func leave(_ index: Int, _ outcome: TabbyStatus) -> HTTPResponse {
    let request = payments[index].request
    let url =
      switch outcome {
      case .authorized, .closed: request.successURL
      case .rejected: request.failureURL
      case .created, .expired: request.cancelURL
      }
    guard let url else { return TabbyPage(payments[index]).close() }
    note(index, .returned)
    return .seeOther(QueryText.append("payment_id", payments[index].id, to: url))
  }

  /// What the page tells the payer, also while the API still says CREATED.
  private func outcome(_ index: Int) -> TabbyStatus {
    let payment = payments[index]
    return payment.status == .created ? payment.pendingOutcome?.status ?? .created : payment.status
  }

  private func atOpenSession(_ index: Int, _ content: () -> HTTPResponse) -> HTTPResponse {
    let payment = payments[index]
    guard payment.isSessionOpen(at: now), !payment.page.isConfirmed else {
      return TabbyPage(payment).result(outcome(index))
    }
    return content()
  }

  private func afterPhone(_ index: Int, _ content: () -> HTTPResponse) -> HTTPResponse {
    payments[index].page.phone == nil ? TabbyPage(payments[index]).phone() : content()
  }

  private func afterCode(_ index: Int, _ content: () -> HTTPResponse) -> HTTPResponse {
    payments[index].page.hasCode ? content() : TabbyPage(payments[index]).phone()
  }

  /// The bank answers as long as the payment can still change, even if the checkout page is dead.
  private func atBank(_ index: Int, _ content: () -> HTTPResponse) -> HTTPResponse {
    let payment = payments[index]
    let isAlive =
      payment.status == .created || payment.status == .expired && settings.allowsLateAuthorization
    guard isAlive, payment.page.waitsForBank, !payment.page.isConfirmed else {
      return TabbyPage(payment).result(outcome(index))
    }
    return content()
  }
}
