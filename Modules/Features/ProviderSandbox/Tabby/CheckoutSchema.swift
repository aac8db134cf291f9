import PaymentModels
import StrictJSON

/// The shape of a JSON value in the provider's published schema.
indirect enum SchemaShape: Sendable {
  case text
  case decimal
  case choice([String])
  case integer(min: Int64)
  case flag
  case date
  case list(SchemaShape)
  case object([SchemaField])
}

struct SchemaField: Sendable {
  let name: String
  let shape: SchemaShape
  let isRequired: Bool

  static func required(_ name: String, _ shape: SchemaShape) -> SchemaField {
    SchemaField(name: name, shape: shape, isRequired: true)
  }

  static func optional(_ name: String, _ shape: SchemaShape) -> SchemaField {
    SchemaField(name: name, shape: shape, isRequired: false)
  }
}

extension SchemaShape {
  /// What the value lacks; `path` is where it stands, such as `$.payment`.
  func problems(of value: JSONValue, at path: String) -> [TabbyError.FieldProblem] {
    let isValid: Bool
    switch self {
    case .object(let fields):
      guard value.members != nil else { return [wrong(path)] }
      return fields.flatMap { problems(of: value, at: path, field: $0) }
    case .list(let shape):
      guard let elements = value.elements else { return [wrong(path)] }
      return elements.enumerated().flatMap {
        shape.problems(of: $0.element, at: "\(path)[\($0.offset)]")
      }
    case .text: isValid = value.text != nil
    case .decimal: isValid = value.text.map(isAmount) == true
    case .choice(let names): isValid = value.text.map(names.contains) == true
    case .integer(let least): isValid = value.int64.map { $0 >= least } == true
    case .flag: isValid = value.boolean != nil
    case .date: isValid = value.text.flatMap { Instant(iso8601: $0) } != nil
    }
    return isValid ? [] : [wrong(path)]
  }

  private func problems(
    of value: JSONValue, at path: String, field: SchemaField
  ) -> [TabbyError.FieldProblem] {
    let path = "\(path).\(field.name)"
    guard let member = value[field.name], !member.isNull else {
      return field.isRequired ? [TabbyError.FieldProblem(field: path, code: "required")] : []
    }
    return field.shape.problems(of: member, at: path)
  }

  private func wrong(_ path: String) -> TabbyError.FieldProblem {
    TabbyError.FieldProblem(field: path, code: "invalid_value")
  }
}

private func isAmount(_ text: String) -> Bool {
  Currency(code: "KWD", exponent: 3).map { (try? Money(decimal: text, currency: $0)) != nil }
    ?? false
}

/// What the published schema asks of each body.
enum PublishedSchema {
  static let checkout = SchemaShape.object([
    .required("payment", payment),
    .required("lang", .choice(["en", "ar"])),
    .required("merchant_code", .text),
    .required(
      "merchant_urls",
      .object([
        .required("success", .text), .required("cancel", .text), .required("failure", .text),
      ])
    ),
  ])

  static let capture = SchemaShape.object([
    .required("amount", .decimal), .required("reference_id", .text),
    .optional("tax_amount", .decimal), .optional("shipping_amount", .decimal),
    .optional("discount_amount", .decimal), .optional("items", .list(.object(itemFields))),
  ])

  static let refund = SchemaShape.object([
    .required("amount", .decimal), .required("reference_id", .text),
    .optional("reason", .text), .optional("items", .list(.object(itemFields))),
  ])

  private static let payment = SchemaShape.object([
    .required("amount", .decimal),
    .required("currency", .choice(["AED", "SAR", "KWD"])),
    .optional("description", .text),
    .required("buyer", buyer),
    .required("shipping_address", address),
    .required(
      "order",
      .object([
        .required("reference_id", .text), .required("items", .list(.object(itemFields))),
        .optional("updated_at", .date), .optional("tax_amount", .decimal),
        .optional("shipping_amount", .decimal), .optional("discount_amount", .decimal),
      ])),
    .required(
      "buyer_history",
      .object([
        .required("registered_since", .date), .required("loyalty_level", .integer(min: 0)),
        .optional("wishlist_count", .integer(min: 0)),
        .optional("is_social_networks_connected", .flag),
        .optional("is_phone_number_verified", .flag), .optional("is_email_verified", .flag),
      ])),
    .required("order_history", .list(pastOrder)),
    .optional("meta", .object([])),
    .optional("attachment", .object([.required("body", .text), .required("content_type", .text)])),
  ])

  private static let buyer = SchemaShape.object([
    .required("name", .text), .required("email", .text), .required("phone", .text),
    .optional("dob", .date),
  ])

  private static let address = SchemaShape.object([
    .required("city", .text), .required("address", .text), .required("zip", .text),
  ])

  private static let itemFields: [SchemaField] = [
    .required("title", .text), .required("quantity", .integer(min: 1)),
    .required("unit_price", .decimal), .required("category", .text),
    .optional("discount_amount", .decimal), .optional("is_refundable", .flag),
    .optional("gender", .choice(["Male", "Female", "Kids", "Other"])),
  ]

  private static let pastOrder = SchemaShape.object([
    .required("purchased_at", .date), .required("amount", .decimal),
    .required(
      "status",
      .choice(["new", "processing", "complete", "refunded", "canceled", "unknown"])),
    .required("buyer", buyer), .required("shipping_address", address),
    .optional("payment_method", .choice(["card", "cod"])),
  ])
}
