import HTTPExchange
import KitEnvironment
import PaymentModels
import StrictJSON

/// Writers and readers of a load.
struct LoadPeople: Sendable {
  /// Requests with one key at the same time, where a key is shared.
  private static let copies = 4
  /// Refunds of one payment, each of 1.00.
  private static let refunds = 3
  /// What a reader looks at in turn.
  private static let looksMin = 5
  /// How long money may take to be known as taken.
  private static let patience: Duration = .seconds(20)

  let stage: LoadStage
  let book: LoadBook
  let end: Duration

  private var clock: KitClock { stage.environment.clock }
  private var isOver: Bool { clock.uptime() >= end || Task.isCancelled }

  // MARK: Writing

  /// Buys, is paid, tells of it and gives back, round after round until the time is up. In each
  /// third round several requests share a key at the same time.
  func write(_ number: Int) async {
    var round = 0
    while !isOver {
      round += 1
      let copies = round.isMultiple(of: 3) ? Self.copies : 1
      let key = "load-\(number)-\(round)"
      guard let (payment, provider) = await create(key, copies: copies, from: number + round)
      else { continue }
      await deliver(provider, key, from: number)
      guard await isTaken(payment, provider, from: number) else { continue }
      for refund in 1...Self.refunds {
        await giveBack(payment, "\(key)-\(refund)", copies: copies, from: number + refund)
      }
    }
  }

  private func create(
    _ key: String, copies: Int, from first: Int
  ) async -> (payment: String, provider: String)? {
    let body: JSONValue = .object([
      "provider": "tabby",
      "items": .array([.object(["product_id": "mug", "quantity": .integer(1)])]),
    ])
    let views = await send(
      "/v1/checkouts", stage.appToken, key, body, copies: copies, from: first
    ) { json in
      guard let payment = json["payment_id"]?.text, let order = json["order_id"]?.text else {
        return nil
      }
      return .checkout(key: key, payment: payment, order: order)
    }
    for view in views {
      if let payment = view["payment_id"]?.text, let id = view["provider_payment_id"]?.text {
        return (payment, id)
      }
    }
    return nil
  }

  /// The provider tells of the payment: once, and once more with the same bytes.
  private func deliver(_ provider: String, _ key: String, from first: Int) async {
    for (number, copies) in [1, 2].enumerated() {
      let body = JSONValue.object([
        "id": .string(provider), "status": "authorized", "note": .string("\(key)-\(number)"),
      ]).serialized()
      let hash = hexText(stage.environment.hashing.sha256(body))
      await withTaskGroup(of: Void.self) { group in
        for copy in 0..<copies {
          group.addTask {
            let began = clock.uptime()
            let response = await answer(
              "POST", "/webhooks/tabby",
              [
                "Content-Type": "application/json",
                stage.webhookHeader.title: stage.webhookHeader.value.reveal(),
              ],
              body, from: first + copy)
            guard response?.status == 200 else { return }
            await book.note(.webhook(hash: hash), took: clock.uptime() - began)
          }
        }
      }
    }
  }

  /// The payer pays; true once a server knows that the money was taken.
  private func isTaken(_ payment: String, _ provider: String, from first: Int) async -> Bool {
    let control = HTTPOutgoing(
      method: "POST", url: "\(stage.sandbox)/sandbox/payments/\(provider)/status",
      headers: ["Content-Type": "application/json"],
      body: JSONValue.object(["status": "AUTHORIZED"]).serialized())
    guard (try? await stage.transport.send(control))?.status == 200 else { return false }
    let limit = clock.uptime() + Self.patience
    var known: HTTPHeaders = [:]
    while clock.uptime() < limit, !Task.isCancelled {
      let response = await read(
        "/v1/payments/\(payment)?wait=2", known, from: first, isLongPoll: true)
      if let version = response?.headers["ETag"] { known["If-None-Match"] = version }
      let json = response.flatMap { try? JSONValue(parsing: $0.body) }
      if json?["state"]?.text == "captured" { return true }
    }
    return false
  }

  private func giveBack(
    _ payment: String, _ key: String, copies: Int, from first: Int
  ) async {
    _ = await send(
      "/v1/payments/\(payment)/refunds", stage.operatorKey, key,
      .object(["amount": "1.00", "reason": "part of a load"]), copies: copies, from: first
    ) { json in
      json["operation_id"]?.text.map { .refund(key: key, refund: $0, payment: payment) }
    }
  }

  /// Sends the same several times at once, to one server after the other; gives what was
  /// acknowledged.
  private func send(
    _ path: String, _ token: Secret, _ key: String, _ body: JSONValue, copies: Int,
    from first: Int, _ write: @escaping @Sendable (JSONValue) -> LoadWrite?
  ) async -> [JSONValue] {
    let bytes = body.serialized()
    return await withTaskGroup(of: JSONValue?.self) { group in
      for copy in 0..<copies {
        group.addTask {
          let began = clock.uptime()
          let response = await answer(
            "POST", path,
            [
              "Authorization": "Bearer \(token.reveal())", "Idempotency-Key": key,
              "Content-Type": "application/json",
            ], bytes, from: first + copy)
          guard let response, (200..<300).contains(response.status),
            let json = try? JSONValue(parsing: response.body), let write = write(json)
          else { return nil }
          await book.note(write, took: clock.uptime() - began)
          return json
        }
      }
      return await group.reduce(into: []) { all, json in if let json { all.append(json) } }
    }
  }

  // MARK: Reading

  /// Looks at payments, orders and lists, and waits for changes, until the time is up, each at
  /// least once.
  func look(_ number: Int) async {
    var words = SeededWords(seed: UInt64(number), name: "reader")
    var looks = 0
    let limit = end + Self.patience
    while !isOver || looks < Self.looksMin, clock.uptime() < limit, !Task.isCancelled {
      guard let (payment, order) = await book.payment(&words) else {
        try? await clock.sleep(for: .milliseconds(10))
        continue
      }
      looks += 1
      let server = words.below(stage.servers.count)
      let path =
        switch looks % Self.looksMin {
        case 0, 1: "/v1/payments/\(payment)"
        case 2: "/v1/orders/\(order)"
        case 3: "/v1/payments?limit=50"
        default: "/v1/webhooks?limit=50"
        }
      let response = await read(path, [:], from: server, isLongPoll: false)
      guard looks.isMultiple(of: Self.looksMin), let version = response?.headers["ETag"] else {
        continue
      }
      _ = await read("\(path)?wait=1", ["If-None-Match": version], from: server, isLongPoll: true)
    }
  }

  private func read(
    _ path: String, _ headers: HTTPHeaders, from first: Int, isLongPoll: Bool
  ) async -> HTTPResponse? {
    var headers = headers
    headers.add("Authorization", "Bearer \(stage.operatorKey.reveal())")
    let response = await answer("GET", path, headers, [], from: first)
    if response.map({ $0.status < 400 }) == true { await book.noteRead(isLongPoll: isLongPoll) }
    return response
  }

  /// What a server answers; nil if nothing. What is no success is counted.
  private func answer(
    _ method: String, _ path: String, _ headers: HTTPHeaders, _ body: [UInt8], from first: Int
  ) async -> HTTPResponse? {
    let server = stage.servers[first % stage.servers.count]
    let response = try? await stage.transport.send(
      HTTPOutgoing(
        method: method, url: server + path, headers: headers, body: body, deadline: .seconds(40)))
    guard let response, response.status < 400 else {
      await book.noteRefusal(response?.status ?? 0)
      if let text = response?.body,
        String(decoding: text, as: UTF8.self).contains(LoadBook.lockWords)
      {
        await book.noteLocked()
      }
      return response
    }
    return response
  }
}
