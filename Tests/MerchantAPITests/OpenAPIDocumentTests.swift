import CheckoutService
import MerchantAPI
import StrictJSON
import TestSupport
import Testing

@Suite("The API as an OpenAPI document")
struct OpenAPIDocumentTests {
  private let document = OpenAPIDocument.json

  @Test func `every route stands in it once, under its own path and method`() throws {
    let paths = try #require(document["paths"]?.members)
    #expect(Set(paths.map(\.name)).count == paths.count)
    let operations = paths.flatMap { path in
      (path.value.members ?? []).map { "\($0.name.uppercased()) \(path.name)" }
    }
    #expect(operations.sorted() == RouteID.allCases.map(\.rawValue).sorted())
  }

  @Test(arguments: RouteID.allCases)
  func `every operation says all that a caller needs`(id: RouteID) throws {
    let operation = try #require(
      document["paths"]?[id.pathTemplate]?[id.method.lowercased()])
    #expect(operation["operationId"]?.text == "\(id)")
    #expect(operation["summary"]?.text?.hasSuffix(".") == true)
    #expect(operation["tags"]?.elements?.count == 1)
    let parameters = operation["parameters"]?.elements ?? []
    let places = parameters.filter { $0["in"]?.text == "path" }
    #expect(places.map { $0["name"]?.text } == (id.place.map { [$0.rawValue] } ?? []))
    #expect(parameters.allSatisfy { $0["schema"] != nil })
    // A read takes nothing along.
    #expect((operation["requestBody"] != nil) == (id.method == "POST" && id != .readPayment))
    let statuses = try #require(operation["responses"]?.members).compactMap { Int($0.name) }
    #expect(statuses.contains { $0 < 300 })
    #expect(statuses.contains(400) && statuses.contains(503))
    #expect(Set(statuses).count == statuses.count || id == .createCheckout)
  }

  @Test func `every reference leads to a schema, and every schema is used`() {
    var used: Set<String> = []
    func walk(_ value: JSONValue) {
      if let name = value["$ref"]?.text?.split(separator: "/").last { used.insert(String(name)) }
      for member in value.members ?? [] { walk(member.value) }
      for element in value.elements ?? [] { walk(element) }
    }
    walk(document)
    let named = document["components"]?["schemas"]?.members?.map(\.name) ?? []
    #expect(Set(named).count == named.count)
    #expect(used == Set(named))
  }

  @Test func `no object of it names a member twice`() {
    func walk(_ value: JSONValue, _ path: String) {
      let names = (value.members ?? []).map(\.name)
      #expect(Set(names).count == names.count, "\(path)")
      for member in value.members ?? [] { walk(member.value, "\(path)/\(member.name)") }
      for element in value.elements ?? [] { walk(element, path) }
    }
    walk(document, "")
  }

  @Test func `an idempotency key is what the checkouts take`() throws {
    let check = SchemaCheck(document, forbidsStrangers: true)
    let parameters = document["paths"]?["/v1/checkouts"]?["post"]?["parameters"]?.elements
    let schema = try #require(
      parameters?.first { $0["name"]?.text == "Idempotency-Key" }?["schema"])
    let longest = String(repeating: "k", count: CheckoutRequest.keyBytesMax)
    for key in ["k", "!~", longest, longest + "k", "", "a b", "é", "\u{7F}"] {
      #expect(check.faults(.string(key), schema).isEmpty == CheckoutRequest.isKey(key), "\(key)")
    }
  }
}
