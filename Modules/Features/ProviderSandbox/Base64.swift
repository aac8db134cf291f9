/// The bytes that Base64 (RFC 4648, section 4) stands for; nil if it is none.
func decodedBase64(_ text: Substring) -> [UInt8]? {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var bytes: [UInt8] = []
  var (buffer, bits) = (UInt32(0), 0)
  for byte in text.utf8 where byte != UInt8(ascii: "=") {
    guard let digit = alphabet.firstIndex(of: byte) else { return nil }
    buffer = buffer << 6 | UInt32(digit)
    bits += 6
    if bits >= 8 {
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
    }
  }
  return bytes
}
