import ProviderInterface
import TestSupport
import Testing

@Suite("FB-24 Phone numbers the provider refuses: numbers as they are dialled at home")
struct NationalPhoneTests {
  @Test(arguments: FieldBugRows.phones)
  func `each number is what it is in its country, or none`(
    country: String, text: String, meant: String?
  ) {
    let phone = InternationalPhone(text, country: country == "--" ? nil : country)
    #expect(phone?.text == meant)
  }

  @Test(arguments: [
    ("IT", "06 1234 5678", "+390612345678"), ("KW", "90000001", "+96590000001"),
    ("GB", "(020) 7946 0018", "+442079460018"), ("LT", "0 612 34567", "+37061234567"),
    ("AE", "04 123 4567", "+97141234567"), ("FR", "+44 20 7946 0018", "+442079460018"),
    // Two zeros in front are the way out of the country, and a third is none of its numbers.
    ("AE", "000500000001", nil), ("SA", "050000000", nil),
    ("SA", "05000000011", nil), ("KW", "090000001", nil), ("CH", "044 668 18 00", nil),
    ("ae", "0500000001", nil), ("", "0500000001", nil), ("EE", "123456", nil),
    ("EE", "123456789", nil), ("ES", "91234567a", nil),
  ])
  func `trunk zeros, lengths and countries`(country: String, text: String, meant: String?) {
    #expect(InternationalPhone(text, country: country)?.text == meant)
  }
}
