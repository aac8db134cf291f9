public import HTTPExchange

extension HTTPRequest {
  /// A field of the form in the body; nil if it is not there.
  public func form(_ name: String) -> String? {
    guard let text = String(validating: body, as: UTF8.self) else { return nil }
    return QueryText.parseForm(text).first { $0.name == name }?.value
  }

  /// Whether a form came from a page of the address that was asked.
  ///
  /// Browsers name the origin of each form. Its host must be the one that was asked, by whatever
  /// name a proxy in front knows it: a page elsewhere sets neither of these headers.
  public var isFromOwnPage: Bool {
    let site = headers["Sec-Fetch-Site"]
    let hosts = headers.values("Host") + headers.values("X-Forwarded-Host")
    let origin = headers["Origin"].map { origin in
      hosts.contains { origin == "https://\($0)" || origin == "http://\($0)" }
    }
    return site ?? "same-origin" == "same-origin" && origin ?? true
      && (site != nil || origin != nil)
  }
}
