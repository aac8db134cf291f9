private import CTillCurl
import HTTPExchange

/// What the end of a transfer without an answer means.
///
/// The kind follows from one fact, not from the error's name: if no byte of the request was handed
/// to the network, the peer cannot have seen it. A time-out or a TLS error can lie on either side.
func transportError(
  code: UInt32, requestBytesSent: Int, refusal: String?
) -> HTTPTransportError {
  HTTPTransportError(
    requestBytesSent == 0 ? .notSent : .unknown, reason: refusal ?? reason(CURLcode(code)))
}

private func reason(_ code: CURLcode) -> String {
  switch code {
  case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: "url or answer is not HTTP"
  case CURLE_LOGIN_DENIED: "url holds a user name"
  case CURLE_COULDNT_RESOLVE_HOST: "name not resolved"
  case CURLE_COULDNT_CONNECT: "connect refused or unreachable"
  case CURLE_PEER_FAILED_VERIFICATION: "TLS certificate not trusted"
  case CURLE_SSL_CACERT_BADFILE: "no CA certificates on this machine"
  case CURLE_SSL_CONNECT_ERROR: "TLS handshake failed"
  case CURLE_OPERATION_TIMEDOUT: "deadline over"
  case CURLE_GOT_NOTHING: "connection closed without an answer"
  case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND: "connection broken"
  case CURLE_PARTIAL_FILE: "answer truncated"
  case CURLE_BAD_CONTENT_ENCODING: "answer cannot be decompressed"
  case CURLE_WEIRD_SERVER_REPLY: "answer is not HTTP"
  default: "exchange failed"
  }
}
