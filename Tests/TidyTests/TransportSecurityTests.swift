import Testing

@Suite("Certificates")
struct TransportSecurityTests {
  @Test func `no setting turns TLS off`() {
    let lines = Project.house.swiftFiles.filter { $0.path.hasPrefix("Modules/") }
      .flatMap { $0.text.split(separator: "\n") }.map(String.init)
    // Each is set once, to its strictest, and by a constant.
    #expect(
      lines.filter { $0.contains("SSL_VERIFY") }.map { $0.filter { $0 != " " } }
        == ["set(CURLOPT_SSL_VERIFYPEER,1)", "set(CURLOPT_SSL_VERIFYHOST,2)"])
    #expect(
      lines.filter { $0.contains("CURLOPT_FOLLOWLOCATION") }.map { $0.filter { $0 != " " } }
        == ["set(CURLOPT_FOLLOWLOCATION,0)"])
    for word in ["insecure", "allowsAnyHTTPSCertificate", "serverTrust", "verify_tls"] {
      #expect(!lines.contains { $0.contains("\"\(word)") || $0.contains(".\(word)") }, "\(word)")
    }
  }
}
