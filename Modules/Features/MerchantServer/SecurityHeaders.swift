package import HTTPExchange

extension HTTPResponse {
  /// With what every answer says to browsers, unless it says it itself: no guessing of types, no
  /// cache, no frame, nothing to load, no address told to others.
  ///
  /// `Strict-Transport-Security` is the proxy's, where TLS ends and where it is known which other
  /// hosts the merchant has.
  package func hardened() -> HTTPResponse {
    var response = self
    for (name, value) in Self.securityHeaders where headers[name] == nil {
      response.headers.add(name, value)
    }
    return response
  }

  private static let securityHeaders = [
    ("Cache-Control", "no-store"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
  ]
}
