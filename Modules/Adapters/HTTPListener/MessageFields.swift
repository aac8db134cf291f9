/// What the header fields of a request say about the message itself.
struct MessageFields {
  /// More digits than any limit on bodies has; fewer than overflow an Int.
  private static let lengthDigitsMax = 18

  private var hostCount = 0
  private var length: Int?
  private var isChunked = false
  private(set) var saysClose = false
  private(set) var expectsContinue = false

  /// Takes note of one field.
  mutating func note(
    _ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>
  ) throws(Refusal) {
    switch name.count {
    case 4 where name.isCaseless("host"):
      hostCount += 1
      guard value.allSatisfy(Characters.isHost) else { throw .malformedRequest }
    case 6 where name.isCaseless("expect"):
      guard value.isCaseless("100-continue") else { throw .expectationFailed }
      expectsContinue = true
    case 10 where name.isCaseless("connection"):
      let options = value.split(separator: 0x2C).map { $0.filter { !Characters.isBlank($0) } }
      if options.contains(where: { $0.isCaseless("close") }) { saysClose = true }
    case 14 where name.isCaseless("content-length"):
      guard length == nil else { throw .malformedRequest }
      length = try Self.length(value)
    case 17 where name.isCaseless("transfer-encoding"):
      guard !isChunked else { throw .malformedRequest }
      guard value.isCaseless("chunked") else { throw .transferEncodingUnsupported }
      isChunked = true
    default: break
    }
  }

  /// How the body is delimited; refuses what is ambiguous or over the limit.
  func framing(
    minorVersion: Int, limits: HTTPListenerLimits
  ) throws(Refusal) -> BodyFraming {
    guard hostCount == 1 || (hostCount == 0 && minorVersion == 0) else {
      throw .malformedRequest
    }
    if isChunked {
      // HTTP/1.0 knows no chunks: a proxy of that age would have passed them on as they are.
      guard length == nil, minorVersion == 1 else { throw .malformedRequest }
      return .chunked
    }
    guard let length, length > 0 else { return .none }
    guard length <= limits.bodyBytesMax else { throw .tooLarge }
    return .length(length)
  }

  private static func length(_ value: ArraySlice<UInt8>) throws(Refusal) -> Int {
    guard !value.isEmpty, value.allSatisfy(Characters.isDigit) else { throw .malformedRequest }
    guard value.count <= lengthDigitsMax else { throw .tooLarge }
    return value.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
