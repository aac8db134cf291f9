private import CTillSockets
private import Glibc
public import KitEnvironment

/// Words fetched from the kernel at once: 4 KiB saves most calls and is below any limit.
private let randomWordsBuffered = 512

extension RandomSource {
  /// Random words of the kernel (`getrandom`), fetched in blocks.
  public static func system() -> RandomSource {
    let buffer = Locked<[UInt64]>([])
    return RandomSource {
      buffer.withLock { words in
        if words.isEmpty { words = kernelRandomWords(randomWordsBuffered) }
        return words.removeLast()
      }
    }
  }
}

private func kernelRandomWords(_ count: Int) -> [UInt64] {
  var words = [UInt64](repeating: 0, count: count)
  // The buffer does not leave the closure.
  unsafe words.withUnsafeMutableBytes { bytes in
    var filled = 0
    while filled < bytes.count {
      // Writes only into the rest of the array, which outlives the call.
      let got = unsafe getrandom(
        bytes.baseAddress.map { unsafe $0 + filled }, bytes.count - filled, 0)
      precondition(got > 0 || errno == EINTR, "the kernel gives no random bytes")
      filled += max(0, got)
    }
  }
  return words
}
