private import CTillCurl
import HTTPExchange
private import SystemRuntime

/// What tasks and the thread of a transport tell each other.
@safe
// The state is behind its lock. The multi handle is created in init and freed by the thread after
// end(); tasks use it only under the lock while isEnded is false, and only for
// curl_multi_wakeup, the one function that libcurl allows on any thread.
final class CurlMailbox: @unchecked Sendable {
  private struct State {
    var new: [CurlTransfer] = []
    var cancelled: [UInt64] = []
    var closers: [CheckedContinuation<Void, Never>] = []
    var openCount = 0
    var lastID: UInt64 = 0
    var isAwake = false
    var isStopping = false
    var isEnded = false
  }

  /// libcurl's own start must come before everything else, once a process.
  private static let isCurlReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  let multi: UnsafeMutableRawPointer
  let idleSecondsMax: Int
  private let exchangesMax: Int
  private let state = Locked(State())

  init(limits: CurlTransport.Limits) {
    precondition(Self.isCurlReady, "libcurl does not start")
    // A TLS library may write without asking for an error instead of a signal.
    ignoreWriteSignals()
    guard let multi = unsafe curl_multi_init() else { preconditionFailure("no memory") }
    unsafe self.multi = multi
    exchangesMax = limits.exchangesMax
    idleSecondsMax = limits.idleSecondsMax
    // Valid until the thread frees it.
    _ = unsafe till_multi_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, limits.connectionsMax)
    _ = unsafe till_multi_long(multi, CURLMOPT_MAXCONNECTS, limits.connectionsMax)
    _ = unsafe till_multi_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, limits.connectionsPerHostMax)
  }

  /// Transfers put and not finished.
  var openCount: Int { state.withLock { $0.openCount } }

  /// A number for the next exchange.
  func newID() -> UInt64 {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  /// Queues the transfer, or says why not.
  func put(_ transfer: CurlTransfer) -> HTTPTransportError? {
    state.withLock { state in
      if state.isStopping { return HTTPTransportError(.notSent, reason: "transport closed") }
      if state.openCount >= exchangesMax {
        return HTTPTransportError(.notSent, reason: "too many exchanges at once")
      }
      // cancel(_:) may have come before, when nobody knew the id: asked again under the lock.
      if Task.isCancelled { return HTTPTransportError(.unknown, reason: "cancelled") }
      state.openCount += 1
      state.new.append(transfer)
      wake(&state)
      return nil
    }
  }

  /// Asks the thread to end a transfer; nothing happens if it has ended.
  func cancel(_ id: UInt64) {
    state.withLock { state in
      if state.isEnded { return }
      state.cancelled.append(id)
      wake(&state)
    }
  }

  /// Asks the thread to end, and resumes the continuation when it does.
  func stop(then continuation: CheckedContinuation<Void, Never>?) {
    let isEnded = state.withLock { state in
      if state.isEnded { return true }
      state.isStopping = true
      if let continuation { state.closers.append(continuation) }
      wake(&state)
      return false
    }
    if isEnded { continuation?.resume() }
  }

  /// For the thread: what came since the last call.
  func take() -> (new: [CurlTransfer], cancelled: [UInt64], isStopping: Bool) {
    state.withLock { state in
      defer { (state.new, state.cancelled, state.isAwake) = ([], [], false) }
      return (state.new, state.cancelled, state.isStopping)
    }
  }

  /// For the thread: a transfer has ended.
  func noteFinished() {
    state.withLock { $0.openCount -= 1 }
  }

  /// For the thread: from here on nobody else uses the multi handle.
  func end() -> [CheckedContinuation<Void, Never>] {
    state.withLock { state in
      state.isEnded = true
      defer { state.closers = [] }
      return state.closers
    }
  }

  /// A burst of calls wakes the thread once.
  private func wake(_ state: inout State) {
    if state.isAwake || state.isEnded { return }
    state.isAwake = true
    // Not freed: isEnded is false and the lock is held.
    unsafe curl_multi_wakeup(multi)
  }
}
