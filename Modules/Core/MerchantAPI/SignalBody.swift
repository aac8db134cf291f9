public import StrictJSON

/// Body of `POST /v1/payments/{id}/signals`: something that the payer's device saw. A hint: it
/// is written to the journal and causes a read, never more.
public struct SignalBody: Hashable, Sendable {
  /// What the device saw.
  public enum Signal: String, Hashable, Sendable, CaseIterable {
    /// The hosted page was opened.
    case opened
    /// The success return came.
    case returnedSuccess = "returned_success"
    /// The cancel return came.
    case returnedCancel = "returned_cancel"
    /// The failure return came.
    case returnedFailure = "returned_failure"
    /// The page or sheet was closed.
    case closed
    /// The page handed the payer to another app and stayed.
    case wentOutside = "went_outside"
    /// The page called the state that it shows final.
    case pageFinal = "page_final"
    /// The app came to the foreground.
    case foreground
    /// The app was started anew and found the payment open.
    case relaunched
  }

  /// What the device saw.
  public var signal: Signal

  /// Builds a body.
  public init(signal: Signal) {
    self.signal = signal
  }

  /// The JSON that ``init(json:)`` reads.
  public var json: JSONValue { .object(["signal": .string(signal.rawValue)]) }

  /// Reads and checks a body.
  ///
  /// - Throws: ``BodyError``, which names the member.
  public init(json: JSONValue) throws(BodyError) {
    let body = try BodyReader(json, allowed: ["signal"])
    guard let signal = Signal(rawValue: try body.text("signal", lengthMax: BodyReader.nameMax))
    else {
      throw BodyError(path: "signal", "is not a known signal")
    }
    self.init(signal: signal)
  }
}

extension SignalBody {
  /// What ``init(json:)`` takes.
  static var schema: JSONSchema {
    .object(
      [JSONSchema.Member("signal", .words(Signal.allCases.map(\.rawValue)))], isClosed: true)
  }
}
