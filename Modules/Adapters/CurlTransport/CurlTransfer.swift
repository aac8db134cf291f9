import CTillCurl
import HTTPExchange

/// One exchange.
@safe
// Used by the task that creates it up to CurlMailbox.put, and by the transport's thread alone
// after that; libcurl runs the callbacks on that same thread.
final class CurlTransfer: @unchecked Sendable {
  typealias Outcome = Result<HTTPResponse, HTTPTransportError>

  let id: UInt64
  let request: HTTPOutgoing
  let continuation: CheckedContinuation<Outcome, Never>

  private var head = ResponseHead()
  private var body: [UInt8] = []
  private var bodyBytesSent = 0
  private var refusal: String?
  private var headerList: UnsafeMutablePointer<curl_slist>?

  init(id: UInt64, request: HTTPOutgoing, continuation: CheckedContinuation<Outcome, Never>) {
    self.id = id
    self.request = request
    self.continuation = continuation
  }

  deinit {
    // Made by this object alone; libcurl has let go of it when the transfer was removed.
    unsafe curl_slist_free_all(headerList)
  }

  /// Describes the exchange to an easy handle that is fresh or was reset. The handle keeps
  /// pointers to self: it must be removed or reset before self is released.
  func configure(_ easy: EasyHandle) {
    // The loop holds self until it has removed and reset the handle.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe easy.set(CURLOPT_PRIVATE, context)
    unsafe easy.set(CURLOPT_WRITEDATA, context)
    unsafe easy.set(CURLOPT_HEADERDATA, context)
    unsafe easy.set(CURLOPT_READDATA, context)
    unsafe easy.set(CURLOPT_WRITEFUNCTION, takeBody)
    unsafe easy.set(CURLOPT_HEADERFUNCTION, takeHeaderLine)
    unsafe easy.set(CURLOPT_READFUNCTION, giveBody)
    easy.setConstants(deadline: request.deadline)
    easy.set(CURLOPT_URL, request.url)
    configureMethod(easy)
    for line in headerLines() { unsafe headerList = curl_slist_append(headerList, line) }
    // The list lives as long as self.
    unsafe easy.set(CURLOPT_HTTPHEADER, UnsafeMutableRawPointer(headerList))
  }

  /// libcurl repeats by itself a request on a kept connection that breaks before the answer. It
  /// cannot where that could happen twice at the peer: a body comes from a callback that does not
  /// rewind, and a request without body that may change something gets a new connection.
  private func configureMethod(_ easy: EasyHandle) {
    let isRead = request.method == "GET" || request.method == "HEAD"
    if request.method == "HEAD" {
      easy.set(CURLOPT_NOBODY, 1)
    } else if !request.body.isEmpty || ["PATCH", "POST", "PUT"].contains(request.method) {
      easy.set(CURLOPT_POST, 1)
      easy.setSize(CURLOPT_POSTFIELDSIZE_LARGE, Int64(request.body.count))
    }
    if request.body.isEmpty && !isRead { easy.set(CURLOPT_FRESH_CONNECT, 1) }
    easy.set(CURLOPT_CUSTOMREQUEST, request.method)
  }

  private func headerLines() -> [String] {
    // A name with a semicolon is libcurl's form for an empty value.
    var lines = request.headers.fields.map { field in
      field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
    }
    // No waiting for `100 Continue`, and no form type that nobody asked for.
    lines.append("Expect:")
    if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
    return lines
  }

  /// What became of it, once libcurl has ended it with `code`.
  func outcome(code: UInt32, status: Int, requestBytesSent: Int) -> Outcome {
    if code == CURLE_OK.rawValue && status >= 100 {
      return .success(HTTPResponse(status: status, headers: head.headers, body: body))
    }
    return .failure(
      transportError(code: code, requestBytesSent: requestBytesSent, refusal: refusal))
  }

  fileprivate func appendBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= request.bodyBytesMax - body.count else {
      refusal = "answer longer than allowed"
      return false
    }
    // Copied before the callback returns.
    unsafe body.append(contentsOf: bytes)
    return true
  }

  fileprivate func appendHeaderLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Copied before the callback returns.
    guard unsafe head.take(Array(bytes)) else {
      refusal = "answer head longer than allowed"
      return false
    }
    return true
  }

  fileprivate func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let piece = request.body[bodyBytesSent...].prefix(buffer.count)
    // The piece is no longer than the buffer.
    unsafe buffer.copyBytes(from: piece)
    bodyBytesSent += piece.count
    return piece.count
  }
}

// Returning another count than was handed over makes libcurl end the transfer.

private func takeBody(
  _ bytes: UnsafeMutablePointer<CChar>, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  // The transfer that configure(_:) put there, held by the loop while its handle is added; the
  // bytes are libcurl's and valid during the call.
  guard let context = unsafe context else { return -1 }
  let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
  return unsafe transfer.appendBody(buffer) ? size * count : -1
}

private func takeHeaderLine(
  _ bytes: UnsafeMutablePointer<CChar>, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  // The transfer that configure(_:) put there, held by the loop while its handle is added; the
  // bytes are libcurl's and valid during the call.
  guard let context = unsafe context else { return -1 }
  let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
  return unsafe transfer.appendHeaderLine(buffer) ? size * count : -1
}

private func giveBody(
  _ bytes: UnsafeMutablePointer<CChar>, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  // The transfer that configure(_:) put there, held by the loop while its handle is added; the
  // bytes are libcurl's and valid during the call.
  guard let context = unsafe context else { return -1 }
  let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  return unsafe transfer.fill(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
}
