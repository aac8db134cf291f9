/// How a check ends early: with what the backend did wrong, or with why it could not be looked at.
enum CheckEnd: Error {
  /// One sentence: what was seen.
  case failed(String)
  /// One sentence: what is missing.
  case notRun(String)
}
