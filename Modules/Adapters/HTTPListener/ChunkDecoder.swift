/// Takes apart a chunked body (RFC 9112 section 7.1), however its bytes are split over reads.
///
/// Extensions and trailer fields are checked, bounded and thrown away: nothing here uses them.
struct ChunkDecoder {
  /// Hexadecimal digits of one chunk size: 4 GiB, beyond any limit on bodies.
  static let sizeDigitsMax = 8
  /// Bytes of all extensions of a body together.
  static let extensionBytesMax = 256
  /// Bytes of all trailer fields together.
  static let trailerBytesMax = 1024

  private enum State {
    case size, sizeExtension, sizeEnd, data, dataReturn, dataEnd
    case trailerStart, trailerName, trailerValue, trailerEnd, lastEnd, done
  }

  private var state = State.size
  private var size = 0
  private var sizeDigits = 0
  private var extensionBytes = 0
  private var trailerBytes = 0
  private let bodyBytesMax: Int
  /// The data so far.
  private(set) var body: [UInt8] = []

  init(bodyBytesMax: Int) {
    self.bodyBytesMax = bodyBytesMax
  }

  /// Whether the last chunk and the trailer have been read.
  var isDone: Bool { state == .done }

  /// Takes bytes until they or the body end; returns the index of the first that it left.
  mutating func take(_ bytes: ArraySlice<UInt8>) throws(Refusal) -> Int {
    var index = bytes.startIndex
    while index < bytes.endIndex, state != .done {
      if state == .data {
        let end = min(index + size, bytes.endIndex)
        body.append(contentsOf: bytes[index..<end])
        size -= end - index
        index = end
        if size == 0 { state = .dataReturn }
      } else {
        state = try next(bytes[index])
        index += 1
      }
    }
    return index
  }

  private mutating func next(_ byte: UInt8) throws(Refusal) -> State {
    switch state {
    case .size: return try nextInSize(byte)
    case .sizeExtension:
      if byte == carriageReturn { return .sizeEnd }
      extensionBytes += 1
      guard extensionBytes <= Self.extensionBytesMax, Characters.isFieldContent(byte) else {
        throw .malformedRequest
      }
      return .sizeExtension
    case .sizeEnd:
      try expect(lineFeed, byte)
      sizeDigits = 0
      return size == 0 ? .trailerStart : .data
    case .dataReturn:
      try expect(carriageReturn, byte)
      return .dataEnd
    case .dataEnd:
      try expect(lineFeed, byte)
      return .size
    case .trailerStart, .trailerName, .trailerValue, .trailerEnd: return try nextInTrailer(byte)
    case .lastEnd:
      try expect(lineFeed, byte)
      return .done
    case .data, .done: preconditionFailure("data and end are not read byte by byte")
    }
  }

  private mutating func nextInSize(_ byte: UInt8) throws(Refusal) -> State {
    let digit: UInt8
    switch byte {
    case 0x30...0x39: digit = byte - 0x30
    case 0x41...0x46: digit = byte - 0x37
    case 0x61...0x66: digit = byte - 0x57
    case carriageReturn where sizeDigits > 0: return .sizeEnd
    case 0x3B where sizeDigits > 0: return .sizeExtension
    default: throw .malformedRequest
    }
    sizeDigits += 1
    guard sizeDigits <= Self.sizeDigitsMax else { throw .malformedRequest }
    size = size << 4 | Int(digit)
    guard size <= bodyBytesMax - body.count else { throw .tooLarge }
    return .size
  }

  private mutating func nextInTrailer(_ byte: UInt8) throws(Refusal) -> State {
    if state == .trailerEnd {
      try expect(lineFeed, byte)
      return .trailerStart
    }
    if byte == carriageReturn {
      if state == .trailerStart { return .lastEnd }
      if state == .trailerValue { return .trailerEnd }
      throw .malformedRequest
    }
    trailerBytes += 1
    guard trailerBytes <= Self.trailerBytesMax else { throw .headersTooLarge }
    if state == .trailerName, byte == 0x3A { return .trailerValue }
    let isAllowed =
      state == .trailerValue ? Characters.isFieldContent(byte) : Characters.isToken(byte)
    guard isAllowed else { throw .malformedRequest }
    return state == .trailerValue ? .trailerValue : .trailerName
  }

  private func expect(_ wanted: UInt8, _ byte: UInt8) throws(Refusal) {
    guard byte == wanted else { throw .malformedRequest }
  }
}
