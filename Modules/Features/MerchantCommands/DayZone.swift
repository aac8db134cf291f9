package import PaymentModels

/// A time zone as far as days need it: when a day begins there and when the next one does.
package struct DayZone: Hashable, Sendable {
  /// From a moment on, so many seconds ahead of UTC.
  private struct Change: Hashable {
    let at: Int64
    let offset: Int64
  }

  private var changes: [Change]
  private let first: Int64
  /// Whether the changes go on after the last by a rule that this does not read.
  private let goesOn: Bool

  /// Farther from 1970 than any date of four digits, seconds.
  private static let secondsMax: Int64 = 1 << 40
  /// RFC 8536, section 3.2: over -25 h and under 26 h.
  private static let offsets: ClosedRange<Int64> = -89_999...93_599

  package static let utc = DayZone(offsetSeconds: 0)

  /// The zone that is always so far ahead of UTC.
  init(offsetSeconds: Int64) {
    (changes, first, goesOn) = ([], offsetSeconds, false)
  }

  /// Reads `+04:00`, `-03:30` or `UTC`; nil for the name of a zone.
  package init?(fixed text: String) {
    if text == "UTC" {
      self.init(offsetSeconds: 0)
      return
    }
    let bytes = Array(text.utf8)
    guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      bytes[3] == UInt8(ascii: ":"),
      let hours = Int64(text.dropFirst().prefix(2)), let minutes = Int64(text.suffix(2)),
      hours <= 14, minutes < 60
    else { return nil }
    let seconds = hours * 3_600 + minutes * 60
    self.init(offsetSeconds: bytes[0] == UInt8(ascii: "-") ? -seconds : seconds)
  }

  /// Reads a file of the tz database (RFC 9636, version 2 or later); nil if it is none.
  package init?(file: [UInt8]) {
    guard let old = Header(file, at: 0), old.version >= 2 else { return nil }
    let start = Header.length + old.bodyLength(timeBytes: 4)
    guard let header = Header(file, at: start) else { return nil }
    let times = start + Header.length
    let kinds = times + header.times * 8
    let types = kinds + header.times
    guard types + header.types * 6 <= file.count, header.types > 0 else { return nil }
    func offset(_ type: Int) -> Int64? {
      type < header.types
        ? bigEndian(file, types + type * 6, 4).flatMap { Self.offsets.contains($0) ? $0 : nil }
        : nil
    }
    guard let first = offset(0) else { return nil }
    self.first = first
    changes = []
    for index in 0..<header.times {
      guard let at = bigEndian(file, times + index * 8, 8),
        let offset = offset(Int(file[kinds + index]))
      else { return nil }
      // A file may begin its changes before the world did, where nothing can be added or taken off.
      changes.append(Change(at: min(max(at, -Self.secondsMax), Self.secondsMax), offset: offset))
    }
    let footer = file.dropFirst(times + header.bodyLength(timeBytes: 8))
    goesOn = footer.contains(UInt8(ascii: ","))
  }

  /// The first moment of a day and that of the day after it; nil if the text is no date, or the
  /// file tells nothing of it.
  package func day(_ text: String) -> (start: Instant, end: Instant)? {
    guard text.utf8.count == 10, let midnight = Instant(iso8601: text + "T00:00:00Z"),
      let start = beginning(midnight.milliseconds / 1_000),
      // A zone that went over the date line has left a day out.
      let end = beginning(midnight.milliseconds / 1_000 + 86_400)
        ?? beginning(midnight.milliseconds / 1_000 + 2 * 86_400)
    else { return nil }
    return (Instant(milliseconds: start * 1_000), Instant(milliseconds: end * 1_000))
  }

  /// The first second whose local date is that of `midnight`, which is a midnight in UTC. Where a
  /// clock skips midnight, the day begins with the change; where it is there twice, with the first.
  private func beginning(_ midnight: Int64) -> Int64? {
    if goesOn, let last = changes.last, midnight > last.at { return nil }
    let near = changes.filter { abs($0.at - midnight) < 2 * 86_400 }
    let offsets = [offset(at: midnight - 2 * 86_400)] + near.map(\.offset)
    let candidates = offsets.map { midnight - $0 } + near.map(\.at)
    return candidates.sorted().first { isOn($0, midnight) && !isOn($0 - 1, midnight) }
  }

  private func isOn(_ second: Int64, _ midnight: Int64) -> Bool {
    (midnight..<midnight + 86_400).contains(second + offset(at: second))
  }

  private func offset(at second: Int64) -> Int64 {
    changes.last { $0.at <= second }?.offset ?? first
  }

  private struct Header {
    static let length = 44
    let version: Int
    let isUTCount, isStandardCount, leaps, times, types, characters: Int

    init?(_ file: [UInt8], at start: Int) {
      guard file.count >= start + Self.length,
        file[start..<start + 4].elementsEqual("TZif".utf8)
      else { return nil }
      version = Int(file[start + 4]) - 48
      let counts = (0..<6).compactMap { bigEndian(file, start + 20 + $0 * 4, 4) }
      // Far above any file of the database; a wrong one must not be walked through.
      guard counts.count == 6, counts.allSatisfy({ (0...100_000).contains($0) }) else {
        return nil
      }
      isUTCount = Int(counts[0])
      isStandardCount = Int(counts[1])
      leaps = Int(counts[2])
      times = Int(counts[3])
      types = Int(counts[4])
      characters = Int(counts[5])
    }

    func bodyLength(timeBytes: Int) -> Int {
      times * (timeBytes + 1) + types * 6 + characters + leaps * (timeBytes + 4)
        + isStandardCount + isUTCount
    }
  }
}

/// A signed number of `count` bytes; nil if the file is shorter.
private func bigEndian(_ file: [UInt8], _ start: Int, _ count: Int) -> Int64? {
  guard start >= 0, start + count <= file.count else { return nil }
  let value = file[start..<start + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  return count == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
}
