private import CTillCurl
import HTTPExchange

/// Easy handles kept for the next exchange: making one costs more than the rest of the work.
private let idleHandlesMax = 64

/// libcurl's own timers wake the thread earlier; this is only how long it sleeps without any.
private let pollMillisecondsMax: Int32 = 60_000

/// The work of the one thread of a transport.
@safe
// Made and used on that thread alone. Each easy handle is in `live` (and then added to the multi
// handle) or in `idle`, and is freed once, in run() or recycle(_:).
final class CurlLoop {
  private let mailbox: CurlMailbox
  private var live: [UInt64: (transfer: CurlTransfer, easy: EasyHandle)] = [:]
  private var idle: [EasyHandle] = []

  init(_ mailbox: CurlMailbox) {
    self.mailbox = mailbox
  }

  /// Runs until the mailbox says stop, and then frees everything.
  func run() {
    // Valid until the end of this function, which frees it.
    let multi = unsafe mailbox.multi
    while true {
      let work = mailbox.take()
      for transfer in work.new { start(transfer) }
      for id in work.cancelled { end(id, HTTPTransportError(.unknown, reason: "cancelled")) }
      if work.isStopping { break }
      var runningCount: Int32 = 0
      // Only wakeup is called on other threads.
      unsafe curl_multi_perform(multi, &runningCount)
      collectFinished()
      unsafe curl_multi_poll(multi, nil, 0, pollMillisecondsMax, nil)
    }
    for id in live.keys.sorted() {
      end(id, HTTPTransportError(.unknown, reason: "transport closed"))
    }
    let closers = mailbox.end()
    for easy in idle { unsafe curl_easy_cleanup(easy.pointer) }
    unsafe curl_multi_cleanup(multi)
    for closer in closers { closer.resume() }
  }

  private func start(_ transfer: CurlTransfer) {
    let easy = idle.popLast() ?? newHandle()
    transfer.configure(easy)
    easy.set(CURLOPT_MAXAGE_CONN, mailbox.idleSecondsMax)
    live[transfer.id] = (transfer, easy)
    // Both handles are valid, and the easy one is not added yet.
    let code = unsafe curl_multi_add_handle(mailbox.multi, easy.pointer)
    precondition(code == CURLM_OK, "libcurl takes no transfer")
  }

  private func newHandle() -> EasyHandle {
    // Freed by recycle(_:) or at the end of run().
    guard let pointer = unsafe curl_easy_init() else { preconditionFailure("no memory") }
    return unsafe EasyHandle(pointer: pointer)
  }

  private func collectFinished() {
    var code = CURLE_OK
    // The handles that come out are those that start(_:) added.
    while let easy = unsafe till_multi_next_done(mailbox.multi, &code) {
      // The context is the transfer that `live` holds.
      guard let context = unsafe till_info_private(easy) else { preconditionFailure("no context") }
      let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      let outcome = unsafe transfer.outcome(
        code: code.rawValue, status: till_info_long(easy, CURLINFO_RESPONSE_CODE),
        requestBytesSent: till_info_long(easy, CURLINFO_REQUEST_SIZE))
      finish(transfer.id, outcome)
    }
  }

  private func end(_ id: UInt64, _ error: HTTPTransportError) {
    finish(id, .failure(error))
  }

  /// Does nothing if the transfer has ended before.
  private func finish(_ id: UInt64, _ outcome: CurlTransfer.Outcome) {
    guard let (transfer, easy) = live.removeValue(forKey: id) else { return }
    // Added by start(_:) and not removed since. After this libcurl calls no callback of it.
    unsafe curl_multi_remove_handle(mailbox.multi, easy.pointer)
    recycle(easy)
    mailbox.noteFinished()
    transfer.continuation.resume(returning: outcome)
  }

  private func recycle(_ easy: EasyHandle) {
    if idle.count < idleHandlesMax {
      // Forgets all settings, and with them the pointers to the transfer; keeps its memory.
      unsafe curl_easy_reset(easy.pointer)
      idle.append(easy)
    } else {
      unsafe curl_easy_cleanup(easy.pointer)
    }
  }
}
