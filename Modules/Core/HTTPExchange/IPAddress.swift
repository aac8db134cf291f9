/// An address of the internet protocol, version 4 or 6, by its value and not by its spelling.
public struct IPAddress: Hashable, Sendable {
  /// 16 bytes; version 4 stands in `::ffff:0:0/96`, so that both spellings of it are one value.
  let bytes: [UInt8]

  private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [255, 255]

  /// Reads a numeric address: `198.51.100.5`, `2001:db8::1`, `::ffff:198.51.100.5`. Nil for
  /// anything else; names are not looked up, zones and ports not taken.
  public init?(_ text: some StringProtocol) {
    let text = String(text)
    if let version4 = Self.version4(text) {
      bytes = Self.mapped + version4
    } else if let version6 = Self.version6(text) {
      bytes = version6
    } else {
      return nil
    }
  }

  /// Whether it belongs to a network that nobody outside can come from: this machine, a private
  /// or a link-local one.
  public var isPrivate: Bool {
    if bytes.starts(with: Self.mapped) {
      switch (bytes[12], bytes[13]) {
      case (10, _), (127, _), (192, 168), (169, 254): return true
      case (172, let second): return (16...31).contains(second)
      default: return false
      }
    }
    let isLoopback = bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    return isLoopback || bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80)
  }

  /// The network whose addresses one customer of a carrier has: the address itself of version 4,
  /// the first address of its /64 of version 6.
  public var network: IPAddress {
    guard !bytes.starts(with: Self.mapped) else { return self }
    return IPAddress(bytes: Array(bytes.prefix(8)) + Array(repeating: 0, count: 8))
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private static func version4(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (value, digits) = (0, 0)
    for byte in text.utf8 {
      switch byte {
      case 48...57:
        // A zero in front would make the number octal for some readers.
        guard digits == 0 || value > 0 else { return nil }
        value = value * 10 + Int(byte - 48)
        digits += 1
        guard value <= 255 else { return nil }
      case UInt8(ascii: "."):
        guard digits > 0, bytes.count < 3 else { return nil }
        bytes.append(UInt8(value))
        (value, digits) = (0, 0)
      default: return nil
      }
    }
    guard digits > 0, bytes.count == 3 else { return nil }
    return bytes + [UInt8(value)]
  }

  private static func version6(_ text: String) -> [UInt8]? {
    let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
    guard halves.count <= 2 else { return nil }
    // An address of version 4 stands at the very end alone.
    guard let head = groups(halves[0], mayEndInVersion4: halves.count == 1) else { return nil }
    guard halves.count == 2 else { return head.count == 16 ? head : nil }
    guard let tail = groups(halves[1], mayEndInVersion4: true), head.count + tail.count <= 14 else {
      return nil
    }
    return head + Array(repeating: 0, count: 16 - head.count - tail.count) + tail
  }

  /// The bytes of groups between colons, of which the last may be an address of version 4.
  private static func groups(_ text: Substring, mayEndInVersion4: Bool) -> [UInt8]? {
    guard !text.isEmpty else { return [] }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if mayEndInVersion4, index == parts.count - 1, let version4 = version4(String(part)) {
        bytes += version4
        continue
      }
      guard (1...4).contains(part.utf8.count), part.first != "+", part.first != "-",
        let group = UInt16(part, radix: 16)
      else { return nil }
      bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
    }
    return bytes.count <= 16 ? bytes : nil
  }
}

/// A block of addresses: `198.51.100.0/28`, `2001:db8::/32`, or a single one.
public struct IPRange: Hashable, Sendable {
  private let start: IPAddress
  private let bits: Int

  /// Reads a block. Nil if it is none, or if bits are set behind its prefix: then somebody meant
  /// another one.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let start = IPAddress(parts[0]) else { return nil }
    let isVersion4 = !parts[0].contains(":")
    let length = isVersion4 ? 32 : 128
    var prefix = length
    if parts.count == 2 {
      guard (1...3).contains(parts[1].utf8.count), parts[1].first != "+", let given = Int(parts[1]),
        (0...length).contains(given)
      else { return nil }
      prefix = given
    }
    self.start = start
    bits = prefix + 128 - length
    let isAligned = start.bytes.enumerated().allSatisfy { index, byte in
      byte & ~Self.mask(index, bits) == 0
    }
    guard isAligned else { return nil }
  }

  /// Whether it is the whole internet, of either version: a rule that names it says nothing.
  public var isEverything: Bool {
    bits == 0 || bits == 96 && start == IPAddress("0.0.0.0")
  }

  /// Whether an address lies in it.
  public func contains(_ address: IPAddress) -> Bool {
    zip(start.bytes, address.bytes).enumerated().allSatisfy { index, pair in
      (pair.0 ^ pair.1) & Self.mask(index, bits) == 0
    }
  }

  /// The bits of a byte that a prefix of so many bits fixes.
  private static func mask(_ index: Int, _ bits: Int) -> UInt8 {
    let left = min(max(bits - index * 8, 0), 8)
    return left == 0 ? 0 : UInt8.max << (8 - left)
  }
}

extension HTTPRequest {
  /// The address that a request came from, behind proxies that are trusted.
  ///
  /// `X-Forwarded-For` is read from the right, where our own proxies wrote, and only as far as
  /// they did: what stands further left anybody may have written. Without trusted proxies the
  /// header counts for nothing.
  ///
  /// - Returns: nil if the peer is not known, or a proxy wrote what is no address.
  public func client(behind trusted: [IPRange]) -> IPAddress? {
    guard let peer = peer.flatMap({ IPAddress($0) }) else { return nil }
    var client = peer
    let entries = headers.values("X-Forwarded-For").flatMap { $0.split(separator: ",") }
    for entry in entries.reversed() where trusted.contains(where: { $0.contains(client) }) {
      guard let address = Self.forwarded(entry) else { return nil }
      client = address
    }
    return client
  }

  /// The address of one entry: bare, or with a port behind it as some proxies write it.
  private static func forwarded(_ entry: Substring) -> IPAddress? {
    let text = entry.drop { $0 == " " || $0 == "\t" }.split(separator: " ").first ?? ""
    if let address = IPAddress(text) { return address }
    var host = text
    if !text.hasSuffix("]") {
      guard let colon = text.lastIndex(of: ":"), UInt16(text[text.index(after: colon)...]) != nil
      else { return nil }
      host = text[..<colon]
    }
    // Version 6 has colons of its own, so it needs the brackets in front of a port.
    guard host.hasPrefix("["), host.hasSuffix("]") else {
      return host.contains(":") ? nil : IPAddress(host)
    }
    return IPAddress(host.dropFirst().dropLast())
  }
}
