package import HTTPExchange

/// Writes answers, after checking that a handler did not reach into the framing.
package enum ResponseEncoder {
  /// Fields that say where a message ends or what becomes of the connection: the listener's alone.
  private static let reservedNames = [
    "connection", "content-length", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
  ]
  private static let reservedLengths = Set(reservedNames.map(\.utf8.count))

  /// The bytes of an answer; nil if it must not be sent: a status that is not final, a name that
  /// is not a token, a value with a control character, a reserved field, or a body where the
  /// status allows none.
  package static func encode(
    _ response: HTTPResponse, omitsBody: Bool, closes: Bool, date: String
  ) -> [UInt8]? {
    let hasNoBody = response.status == 204 || response.status == 304
    guard (200...599).contains(response.status), !hasNoBody || response.body.isEmpty,
      response.headers.fields.allSatisfy(isSendable)
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headBytesUsual + (omitsBody ? 0 : response.body.count))
    bytes.append(contentsOf: "HTTP/1.1 \(response.status) ".utf8)
    bytes.append(contentsOf: reason(response.status).utf8)
    bytes.append(contentsOf: "\r\n".utf8)
    if response.headers["Date"] == nil { add("Date", date, to: &bytes) }
    for field in response.headers.fields { add(field.name, field.value, to: &bytes) }
    if !hasNoBody { add("Content-Length", "\(response.body.count)", to: &bytes) }
    if closes { add("Connection", "close", to: &bytes) }
    bytes.append(contentsOf: "\r\n".utf8)
    if !omitsBody { bytes.append(contentsOf: response.body) }
    return bytes
  }

  /// Room for the head of an answer with the fields that every answer has.
  private static let headBytesUsual = 512

  private static func add(_ name: String, _ value: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: ": ".utf8)
    bytes.append(contentsOf: value.utf8)
    bytes.append(contentsOf: "\r\n".utf8)
  }

  private static func isSendable(_ field: HTTPHeaders.Field) -> Bool {
    !field.name.isEmpty && field.name.utf8.allSatisfy(Characters.isToken)
      && field.value.utf8.allSatisfy(Characters.isFieldContent)
      && !(reservedLengths.contains(field.name.utf8.count)
        && reservedNames.contains { field.name.utf8.isCaseless($0) })
  }

  /// The usual phrase, or none, which RFC 9112 allows.
  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: ""
    }
  }
}
