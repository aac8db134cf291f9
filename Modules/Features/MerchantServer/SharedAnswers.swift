import HTTPExchange
import PaymentModels

/// Answers that whoever was woken first has read, for all others that wait for the same.
///
/// An answer is one of its time as long as no commit has touched the order since it was read.
struct SharedAnswers {
  /// What an answer depends on, beside what is stored.
  struct Key: Hashable, Sendable {
    let payment: PaymentID
    let showsKey: Bool
    let isFresh: Bool
  }

  /// An answer and what it was made of.
  struct Seen: Sendable {
    let response: HTTPResponse
    let version: Int64
    /// Whether the asker has it already and may wait for the next.
    let isSame: Bool
  }

  private var seen: [Key: Seen] = [:]

  subscript(key: Key) -> Seen? {
    get { seen[key] }
    set { seen[key] = newValue }
  }
}
