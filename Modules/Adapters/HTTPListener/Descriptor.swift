private import Glibc

/// An open file descriptor, closed when the last reference to it goes.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) {
    self.number = number
  }

  deinit {
    // Linux closes the descriptor whatever the result; there is nothing left to be done on error.
    _ = close(number)
  }
}
