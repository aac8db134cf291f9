import StrictJSON
import Testing

@testable import AppSimulator

@Suite("What apps printed, judged")
struct AppEvidenceTests {
  private func problems(
    _ processes: [[String]], allowing shown: [String] = []
  ) throws -> [String] {
    let reports = try processes.map { try $0.map { try JSONValue(parsing: Array($0.utf8)) } }
    return AppEvidence(reports).problems(allowing: shown)
  }

  private let stored = #"{"event":"stored","checkout":"k","payment_id":"p"}"#
  private let open = #"{"event":"open","checkout":"k"}"#
  private func read(_ status: String, _ order: String = "pending") -> String {
    #"{"event":"read","payment_id":"p","status":"\#(status)","order_state":"\#(order)"}"#
  }
  private func show(_ outcome: String, of payment: String = "p") -> String {
    #"{"event":"show","checkout":"k","payment_id":"\#(payment)","outcome":"\#(outcome)"}"#
  }

  @Test func `a page after its payment was stored, and an end after its proof, are right`() throws {
    #expect(try problems([[stored, open, read("captured"), show("succeeded")]]) == [])
    // The next process has the payment of the one before, and what that was told.
    #expect(try problems([[stored, read("captured")], [open, show("succeeded")]]) == [])
    #expect(try problems([[read("created", "paid"), show("succeeded")]]) == [])
  }

  @Test func `a page before its payment was stored is wrong`() throws {
    let key = #"{"event":"stored","checkout":"k"}"#
    #expect(try problems([[key, open, stored]]).count == 1)
    #expect(try problems([[open]]).count == 1)
  }

  @Test func `two payments of one checkout are wrong, in whichever process they are made`() throws {
    func created(_ payment: String, _ checkout: String = "k") -> String {
      #"{"event":"created","checkout":"\#(checkout)","payment_id":"\#(payment)"}"#
    }
    #expect(try problems([[created("p")], [created("p"), created("q", "l")]]) == [])
    #expect(try problems([[created("p")], [created("q")]]).count == 1)
  }

  @Test(arguments: ["rejected", "expired", "cancelled"])
  func `an unpaid end needs proof and a story that leads there`(end: String) throws {
    #expect(try problems([[read(end), show(end)]], allowing: [end]) == [])
    #expect(try problems([[read(end), show(end)]]).count == 1)
    #expect(try problems([[read("created"), show(end)]], allowing: [end]).count == 1)
    // Proof of another payment proves nothing of this one.
    #expect(try problems([[read(end), show(end, of: "q")]], allowing: [end]).count == 1)
  }

  @Test func `success needs proof, and nothing else is shown after it`() throws {
    #expect(try problems([[read("created"), show("succeeded")]]).count == 1)
    let doubt = show("still_confirming")
    #expect(try problems([[read("captured"), show("succeeded"), doubt]]).count == 1)
    // A new process may look again before it shows the end.
    #expect(
      try problems([[read("captured"), show("succeeded")], [doubt, show("succeeded")]]) == [])
    #expect(try problems([[doubt]]) == [])
  }
}
