public import StrictJSON

/// A schema of JSON Schema 2020-12, as OpenAPI 3.1 has it: the few words that the API needs.
///
/// Lengths count Unicode scalars, as the standard does and the parsers of the bodies do.
public struct JSONSchema: Hashable, Sendable {
  /// The schema as JSON.
  public let json: JSONValue

  private init(_ json: JSONValue) { self.json = json }

  private init(type: String, _ members: [JSONMember?]) {
    json = .object([JSONMember(name: "type", value: .string(type))] + members.compactMap(\.self))
  }

  /// A text.
  static func text(
    _ lengths: ClosedRange<Int>? = nil, pattern: String? = nil, format: String? = nil
  ) -> JSONSchema {
    JSONSchema(
      type: "string",
      [
        lengths.map { JSONMember(name: "minLength", value: .integer($0.lowerBound)) },
        lengths.map { JSONMember(name: "maxLength", value: .integer($0.upperBound)) },
        pattern.map { JSONMember(name: "pattern", value: .string($0)) },
        format.map { JSONMember(name: "format", value: .string($0)) },
      ])
  }

  /// One of some words.
  static func words(_ words: [String]) -> JSONSchema {
    JSONSchema(
      type: "string", [JSONMember(name: "enum", value: .array(words.map { .string($0) }))])
  }

  /// A whole number.
  static func integer(from least: Int64? = nil, to most: Int64? = nil) -> JSONSchema {
    JSONSchema(
      type: "integer",
      [
        least.map { JSONMember(name: "minimum", value: .integer($0)) },
        most.map { JSONMember(name: "maximum", value: .integer($0)) },
        JSONMember(name: "format", value: .string("int64")),
      ])
  }

  /// True or false.
  static let boolean = JSONSchema(type: "boolean", [])

  /// Many of a kind.
  static func array(of items: JSONSchema, _ counts: ClosedRange<Int>? = nil) -> JSONSchema {
    JSONSchema(
      type: "array",
      [
        JSONMember(name: "items", value: items.json),
        counts.map { JSONMember(name: "minItems", value: .integer($0.lowerBound)) },
        counts.map { JSONMember(name: "maxItems", value: .integer($0.upperBound)) },
      ])
  }

  /// A schema of ``APISchemas`` by its name.
  static func named(_ name: String) -> JSONSchema {
    JSONSchema(.object(["$ref": .string("#/components/schemas/\(name)")]))
  }

  /// Anything.
  static let anything = JSONSchema(.object([JSONMember]()))

  /// One of some schemas at least.
  static func any(of schemas: [JSONSchema]) -> JSONSchema {
    JSONSchema(.object(["anyOf": .array(schemas.map(\.json))]))
  }

  /// Each of some schemas.
  static func all(of schemas: [JSONSchema]) -> JSONSchema {
    JSONSchema(.object(["allOf": .array(schemas.map(\.json))]))
  }

  /// The kit's ids: lower-case UUIDs.
  static let uuid = text(pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
  /// A moment as the server writes it.
  static let moment = text(format: "date-time")
  /// A sum in decimal digits.
  static let amount = text(pattern: #"^-?(0|[1-9][0-9]*)(\.[0-9]{1,4})?$"#)
  /// Three letters of ISO 4217.
  static let currency = text(pattern: "^[A-Z]{3}$")
}

extension JSONSchema {
  /// A member of an object.
  struct Member {
    let name: String
    let schema: JSONSchema
    let isRequired: Bool

    init(_ name: String, _ schema: JSONSchema, isRequired: Bool = true) {
      self.name = name
      self.schema = schema
      self.isRequired = isRequired
    }
  }

  /// An object. One that is sent to the server has no other members (`isClosed`); one that it
  /// answers may get more, which a reader ignores.
  static func object(_ members: [Member], isClosed: Bool = false) -> JSONSchema {
    let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
    return JSONSchema(
      type: "object",
      [
        JSONMember(
          name: "properties",
          value: .object(members.map { JSONMember(name: $0.name, value: $0.schema.json) })),
        required.isEmpty ? nil : JSONMember(name: "required", value: .array(required)),
        isClosed ? JSONMember(name: "additionalProperties", value: .bool(false)) : nil,
      ])
  }

  /// The same, or null.
  var orNull: JSONSchema {
    guard let members = json.members, let type = json["type"]?.text else {
      return .any(of: [self, JSONSchema(type: "null", [])])
    }
    return JSONSchema(
      .object(
        members.map { member in
          switch member.name {
          case "type": JSONMember(name: "type", value: .array([.string(type), .string("null")]))
          case "enum":
            JSONMember(name: "enum", value: .array((member.value.elements ?? []) + [.null]))
          default: member
          }
        }))
  }

  /// The same with words about it.
  func described(_ text: String) -> JSONSchema {
    JSONSchema(
      .object((json.members ?? []) + [JSONMember(name: "description", value: .string(text))]))
  }

  /// The same with a value for example.
  func example(_ value: JSONValue) -> JSONSchema {
    JSONSchema(
      .object((json.members ?? []) + [JSONMember(name: "examples", value: .array([value]))]))
  }
}
