import CTillCurl
import HTTPExchange
import PaymentModels

/// A dead address is known as `notSent` before a usual deadline is over.
private let connectMillisecondsMax: Int64 = 5_000

/// libcurl's description of one exchange, with typed settings.
@safe
// A name for a pointer. It is created, used and freed on the thread of one transport.
struct EasyHandle {
  let pointer: UnsafeMutableRawPointer

  /// The settings that are the same for every exchange, and the time limits.
  func setConstants(deadline: Duration) {
    // libcurl takes milliseconds as an int.
    let milliseconds = min(max(1, deadline.wholeMilliseconds), Int64(Int32.max))
    set(CURLOPT_TIMEOUT_MS, Int(milliseconds))
    set(CURLOPT_CONNECTTIMEOUT_MS, Int(min(milliseconds, connectMillisecondsMax)))
    // Time limits without SIGALRM, and ending a transfer does not wait for a slow name server.
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    // One exchange a connection: HTTP/2 would tie the fate of many to one connection.
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_PROXY, "")
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_ACCEPT_ENCODING, "gzip")
    set(CURLOPT_TCP_NODELAY, 1)
  }

  func set(_ option: CURLoption, _ value: Int) {
    // The handle is valid from init to cleanup, on the one thread.
    check(unsafe till_easy_long(pointer, option, value))
  }

  func setSize(_ option: CURLoption, _ value: Int64) {
    // As above: the handle is valid.
    check(unsafe till_easy_size(pointer, option, value))
  }

  func set(_ option: CURLoption, _ value: String) {
    // libcurl copies the text before the call returns.
    check(unsafe till_easy_text(pointer, option, value))
  }

  func set(_ option: CURLoption, _ value: @escaping till_data_function) {
    // A function has no lifetime.
    check(unsafe till_easy_function(pointer, option, value))
  }

  /// - Parameter value: must stay valid as long as the handle uses it.
  @unsafe
  func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
    // The caller keeps the value alive.
    check(unsafe till_easy_pointer(pointer, option, value))
  }

  /// Only an option that this libcurl does not have, or no memory, makes these calls fail.
  private func check(_ code: CURLcode) {
    precondition(code == CURLE_OK, "libcurl refuses a setting")
  }
}
