import PaymentModels
public import StrictJSON

/// Why an adapter file cannot be used.
public struct AdapterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Which member, and what is wrong with it.
  public let description: String
}

extension ConformanceAdapter {
  /// Reads an adapter file.
  ///
  /// - Parameter variables: the environment: `{"env": "NAME"}` takes a secret from there, and
  ///   `{env:NAME}` in a header.
  /// - Throws: ``AdapterError``, which names the member.
  public init(json: JSONValue, variables: [String: String]) throws(AdapterError) {
    let reader = AdapterReader(variables: variables)
    try reader.allow(
      json,
      [
        "calls", "answers", "words", "fulfilment", "providers", "tampered_amount",
        "tampered_currency", "login_headers",
      ], "the adapter")
    let calls = json["calls"] ?? .null
    try reader.allow(
      calls, ["create", "read", "retry", "cancel", "returned", "closed", "lookup"], "calls")
    create = try reader.required(calls, "create")
    read = try reader.required(calls, "read")
    retry = try reader.call(calls, "retry")
    cancel = try reader.call(calls, "cancel")
    returned = try reader.call(calls, "returned")
    closed = try reader.call(calls, "closed")
    lookup = try reader.call(calls, "lookup")
    tamperedAmount = json["tampered_amount"] ?? .object(["amount": "0.01", "price": "0.01"])
    tamperedCurrency = json["tampered_currency"] ?? .object(["currency": "XTS"])
    loginHeaders = Set(
      (json["login_headers"]?.elements?.compactMap(\.text) ?? ["Authorization", "Cookie"])
        .map { $0.lowercased() })
    places = try reader.places(json["answers"] ?? .null)
    words = try reader.words(json["words"] ?? .null)
    fulfilment = try reader.fulfilment(json["fulfilment"])
    accounts = try reader.accounts(json["providers"] ?? .null)
  }
}

/// Reads the members of an adapter file.
struct AdapterReader {
  let variables: [String: String]

  func allow(_ json: JSONValue, _ names: Set<String>, _ place: String) throws(AdapterError) {
    guard let members = json.members else {
      throw AdapterError(description: "\(place) must be an object")
    }
    for member in members where !names.contains(member.name) {
      throw AdapterError(description: "\(place): \(member.name) is not known")
    }
  }

  func text(_ json: JSONValue, _ name: String, _ place: String) throws(AdapterError) -> String {
    guard let text = json[name]?.text, !text.isEmpty else {
      throw AdapterError(description: "\(place).\(name) is missing")
    }
    return text
  }

  // MARK: Calls

  func required(
    _ json: JSONValue, _ name: String
  ) throws(AdapterError) -> ConformanceAdapter.Call {
    guard let call = try call(json, name) else {
      throw AdapterError(description: "calls.\(name) is missing")
    }
    return call
  }

  func call(_ json: JSONValue, _ name: String) throws(AdapterError) -> ConformanceAdapter.Call? {
    guard let call = json[name], !call.isNull else { return nil }
    let place = "calls.\(name)"
    try allow(call, ["method", "path", "headers", "body"], place)
    var headers: [(name: String, value: String)] = []
    for member in call["headers"]?.members ?? [] {
      guard let value = member.value.text else {
        throw AdapterError(description: "\(place).headers.\(member.name) is not a string")
      }
      headers.append((member.name, try withVariables(value, place)))
    }
    let path = try text(call, "path", place)
    guard path.hasPrefix("/") else {
      throw AdapterError(description: "\(place).path must begin with /")
    }
    return ConformanceAdapter.Call(
      method: try text(call, "method", place), path: path, headers: headers, body: call["body"])
  }

  /// Puts variables in the places of `{env:NAME}`.
  private func withVariables(
    _ text: String, _ place: String
  ) throws(AdapterError) -> String {
    var text = text
    while let range = text.firstRange(of: "{env:") {
      let rest = text[range.upperBound...]
      guard let close = rest.firstIndex(of: "}") else { break }
      let name = String(rest[..<close])
      text.replaceSubrange(
        range.lowerBound...close, with: try variable(name, place))
    }
    return text
  }

  private func variable(_ name: String, _ place: String) throws(AdapterError) -> String {
    guard let value = variables[name], !value.isEmpty else {
      throw AdapterError(description: "\(place): the variable \(name) is not set")
    }
    return value
  }

  private func secret(
    _ json: JSONValue, _ name: String, _ place: String
  ) throws(AdapterError) -> Secret? {
    guard let value = json[name], !value.isNull else { return nil }
    if let text = value.text { return Secret(text) }
    return Secret(try variable(try text(value, "env", "\(place).\(name)"), "\(place).\(name)"))
  }

  // MARK: Answers

  func places(_ json: JSONValue) throws(AdapterError) -> ConformanceAdapter.Places {
    try allow(
      json,
      ["payment", "order", "page", "provider_payment", "refunded", "verification_key"], "answers")
    return ConformanceAdapter.Places(
      payment: try text(json, "payment", "answers"), order: try text(json, "order", "answers"),
      page: try text(json, "page", "answers"), providerPayment: json["provider_payment"]?.text,
      refunded: json["refunded"]?.text, verificationKey: json["verification_key"]?.text)
  }

  func words(_ json: JSONValue) throws(AdapterError) -> [ConformanceAdapter.Word] {
    var words: [ConformanceAdapter.Word] = []
    for member in json.members ?? [] {
      guard let standing = ConformanceAdapter.Standing(rawValue: member.name),
        standing != .waiting
      else { throw AdapterError(description: "words: \(member.name) is not known") }
      for place in member.value.members ?? [] {
        words.append(
          ConformanceAdapter.Word(
            standing: standing, pointer: place.name,
            values: (place.value.elements ?? [place.value]).compactMap {
              $0.text ?? $0.boolean.map { $0 ? "true" : "false" }
            }))
      }
    }
    guard words.contains(where: { $0.standing == .paid && !$0.values.isEmpty }) else {
      throw AdapterError(description: "words.paid is missing")
    }
    return words
  }

  func fulfilment(_ json: JSONValue?) throws(AdapterError) -> ConformanceAdapter.Fulfilment? {
    guard let json, !json.isNull else { return nil }
    try allow(json, ["order", "id_header", "id", "type", "values"], "fulfilment")
    return ConformanceAdapter.Fulfilment(
      order: try text(json, "order", "fulfilment"), idHeader: json["id_header"]?.text,
      idPointer: json["id"]?.text, type: json["type"]?.text,
      values: (json["values"]?.elements ?? []).compactMap(\.text))
  }

  // MARK: Accounts

  func accounts(_ json: JSONValue) throws(AdapterError) -> [ConformanceAdapter.Account] {
    try allow(json, Set(ConformanceProvider.allCases.map(\.rawValue)), "providers")
    var accounts: [ConformanceAdapter.Account] = []
    for provider in ConformanceProvider.allCases {
      guard let part = json[provider.rawValue], !part.isNull else { continue }
      let place = "providers.\(provider.rawValue)"
      try allow(
        part,
        [
          "webhook_path", "product", "other_product", "amount", "currency", "key",
          "webhook_secret", "webhook_header", "merchant_code", "captures_by_hand",
        ], place)
      accounts.append(
        ConformanceAdapter.Account(
          provider: provider, webhookPath: try text(part, "webhook_path", place),
          product: try text(part, "product", place),
          otherProduct: try text(part, "other_product", place),
          amount: try text(part, "amount", place), currency: try text(part, "currency", place),
          key: try secret(part, "key", place),
          webhookSecret: try secret(part, "webhook_secret", place),
          webhookHeader: part["webhook_header"]?.text, merchantCode: part["merchant_code"]?.text,
          capturesByHand: part["captures_by_hand"]?.boolean ?? false))
    }
    guard !accounts.isEmpty else { throw AdapterError(description: "providers names none") }
    return accounts
  }
}
