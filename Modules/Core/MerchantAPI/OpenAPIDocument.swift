import HTTPExchange
public import StrictJSON

/// The API as a document of OpenAPI 3.1, made from ``RouteID`` and what each route's contract says.
public enum OpenAPIDocument {
  /// The document.
  public static let json: JSONValue = .object([
    "openapi": "3.1.0",
    "info": .object([
      "title": "Tillkit merchant API", "version": "1",
      "summary": "Checkouts at hosted payment pages, and the work on their orders and payments.",
      "license": .object(["name": "Apache 2.0", "identifier": "Apache-2.0"]),
    ]),
    "servers": .array([.object(["url": "/"])]),
    "tags": .array(
      // A payer's routes go under the same tag as their own.
      RouteContract.Access.allCases.filter { $0 != .payer }.map {
        .object(["name": .string($0.tag), "description": .string($0.note)])
      }),
    "paths": .object(paths),
    "components": .object([
      "schemas": .object(
        APISchemas.all.map { JSONMember(name: $0.name, value: $0.schema.json) }),
      "securitySchemes": .object([
        "appToken": bearer("A payer's app: the token of the user who is signed in there."),
        "operatorKey": bearer("The merchant's people and tools."),
        "metricsKey": bearer("The merchant's monitoring."),
      ]),
    ]),
  ])

  private static func bearer(_ note: String) -> JSONValue {
    .object(["type": "http", "scheme": "bearer", "description": .string(note)])
  }

  /// The routes of one path stand together, in the order of their first.
  private static var paths: [JSONMember] {
    var paths: [(path: String, members: [JSONMember])] = []
    for id in RouteID.allCases {
      let member = JSONMember(name: id.method.lowercased(), value: id.operation)
      if let index = paths.firstIndex(where: { $0.path == id.pathTemplate }) {
        paths[index].members.append(member)
      } else {
        paths.append((id.pathTemplate, [member]))
      }
    }
    return paths.map { JSONMember(name: $0.path, value: .object($0.members)) }
  }
}

extension RouteContract.Access {
  fileprivate var tag: String {
    switch self {
    case .open: "public"
    case .provider: "provider"
    case .payer, .own: "app"
    case .staff: "operator"
    case .monitoring: "monitoring"
    }
  }

  fileprivate var note: String {
    switch self {
    case .open: "Takes no token."
    case .provider: "Signed as the provider signs."
    case .payer, .own: "Takes the app token of a payer, who sees what is theirs."
    case .staff: "Takes an operator key."
    case .monitoring: "Takes the metrics key, or an operator key."
    }
  }

  fileprivate var schemes: [String] {
    switch self {
    case .open, .provider: []
    case .payer: ["appToken"]
    case .own: ["appToken", "operatorKey"]
    case .staff: ["operatorKey"]
    case .monitoring: ["metricsKey", "operatorKey"]
    }
  }
}

extension RouteID {
  /// The operation in the document.
  fileprivate var operation: JSONValue {
    let contract = contract
    let place = place.map { place in
      JSONValue.object([
        "name": .string(place.rawValue), "in": "path", "required": .bool(true),
        "schema": place.schema.json,
      ])
    }
    let parameters = [place].compactMap(\.self) + contract.parameters.map(\.json)
    var members = [
      JSONMember(name: "operationId", value: .string("\(self)")),
      JSONMember(name: "summary", value: .string(contract.summary)),
      JSONMember(name: "tags", value: .array([.string(contract.access.tag)])),
      JSONMember(
        name: "security",
        value: .array(
          contract.access.schemes.map { .object([JSONMember(name: $0, value: .array([]))]) })),
    ]
    if !parameters.isEmpty {
      members.append(JSONMember(name: "parameters", value: .array(parameters)))
    }
    if let body = contract.body {
      members.append(JSONMember(name: "requestBody", value: body.json))
    }
    let answers = contract.answers.map { JSONMember(name: "\($0.status)", value: $0.json) }
    members.append(JSONMember(name: "responses", value: .object(answers + problemAnswers)))
    return .object(members)
  }

  /// Problems by status, each with the types that it may have; also those that any request may get
  /// before its route is looked for.
  private var problemAnswers: [JSONMember] {
    let words = problems.map(\.rawValue) + ["request_timeout", "uri_too_long", "headers_too_large"]
    let pages = words.compactMap { ProblemPage(word: $0) }
    return Set(pages.map(\.status)).sorted().map { status in
      let pages = pages.filter { $0.status == status }
      let types = JSONSchema.words(pages.map(\.path))
      let schema = JSONSchema.all(of: [
        .named("Problem"), .object([JSONSchema.Member("type", types)]),
      ])
      return JSONMember(
        name: "\(status)",
        value: .object([
          "description": .string(pages.map(\.word).joined(separator: ", ")),
          "content": .object(["application/problem+json": .object(["schema": schema.json])]),
        ]))
    }
  }
}

extension RouteContract.Parameter {
  fileprivate var json: JSONValue {
    .object([
      "name": .string(name), "in": .string(isHeader ? "header" : "query"),
      "required": .bool(isRequired), "description": .string(note), "schema": schema.json,
    ])
  }
}

extension RouteContract.Body {
  fileprivate var json: JSONValue {
    let (type, schema): (String, JSONSchema) =
      switch self {
      case .json(let name): ("application/json", .named(name))
      case .delivery: ("*/*", .anything)
      }
    return .object([
      "required": .bool(type == "application/json"),
      "content": .object([
        JSONMember(name: type, value: .object(["schema": schema.json]))
      ]),
    ])
  }
}

extension RouteContract.Answer {
  fileprivate var json: JSONValue {
    var members = [JSONMember(name: "description", value: .string(note))]
    if !headers.isEmpty {
      members.append(
        JSONMember(
          name: "headers",
          value: .object(
            headers.map {
              JSONMember(name: $0, value: .object(["schema": JSONSchema.text().json]))
            })))
    }
    if let schema {
      members.append(
        JSONMember(
          name: "content",
          value: .object([
            JSONMember(name: type, value: .object(["schema": schema.json]))
          ])))
    }
    return .object(members)
  }
}
