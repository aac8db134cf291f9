import HTTPExchange

/// What a browser asks: to see a page, or to hand in its form.
struct PageRequest {
  let isPost: Bool
  private let form: [(name: String, value: String)]

  /// Nil for any other method.
  init?(_ request: HTTPRequest) {
    guard request.method == "POST" || request.method == "GET" else { return nil }
    isPost = request.method == "POST"
    form = isPost ? QueryText.parseForm(String(decoding: request.body, as: UTF8.self)) : []
  }

  /// What was entered in the field of this name; empty if there is none.
  func field(_ name: String) -> String { form.first { $0.name == name }?.value ?? "" }
}
