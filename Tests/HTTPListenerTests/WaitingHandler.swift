import HTTPExchange
import SystemRuntime

/// A handler that answers only when the test says so, or when its task is cancelled.
final class WaitingHandler: HTTPHandler {
  private struct State {
    var started = 0
    var cancelled = 0
    var ended = 0
    var isOpen = false
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var watchers: [(isMet: (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())
  /// Whether a cancelled request waits on all the same, as a handler does that ignores it.
  private let ignoresCancellation: Bool

  init(ignoresCancellation: Bool = false) {
    self.ignoresCancellation = ignoresCancellation
  }

  var started: Int { state.withLock { $0.started } }
  var cancelled: Int { state.withLock { $0.cancelled } }

  /// Lets all requests be answered, those to come too.
  func open() {
    let waiting = change { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume() }
  }

  func untilStarted(_ count: Int) async { await until { $0.started >= count } }
  func untilCancelled(_ count: Int) async { await until { $0.cancelled >= count } }
  func untilEnded(_ count: Int) async { await until { $0.ended >= count } }

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    let id = change { state in
      state.started += 1
      return state.started
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mayGo = state.withLock { state in
          if state.isOpen || (Task.isCancelled && !ignoresCancellation) { return true }
          state.waiting[id] = continuation
          return false
        }
        if mayGo { continuation.resume() }
      }
    } onCancel: {
      let continuation = change { state in
        state.cancelled += 1
        return ignoresCancellation ? nil : state.waiting.removeValue(forKey: id)
      }
      continuation?.resume()
    }
    change { $0.ended += 1 }
    return HTTPResponse(status: Task.isCancelled ? 503 : 200, body: Array(request.target.utf8))
  }

  private func until(_ isMet: @escaping @Sendable (State) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isMetNow = state.withLock { state in
        if isMet(state) { return true }
        state.watchers.append((isMet, continuation))
        return false
      }
      if isMetNow { continuation.resume() }
    }
  }

  /// Changes the state, then wakes whom the change satisfies.
  @discardableResult
  private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
    let (value, woken) = state.withLock { state in
      let value = body(&state)
      let watchers = state.watchers
      state.watchers = []
      var met: [CheckedContinuation<Void, Never>] = []
      for watcher in watchers {
        if watcher.isMet(state) {
          met.append(watcher.continuation)
        } else {
          state.watchers.append(watcher)
        }
      }
      return (value, met)
    }
    for continuation in woken { continuation.resume() }
    return value
  }
}
