/// The value of the Date field (RFC 9110 section 5.6.7), made once a second.
struct DateField {
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private var second = -1
  private var text = ""

  /// The text for a second since 1970.
  mutating func text(at second: Int) -> String {
    if second != self.second {
      self.second = second
      text = Self.format(second)
    }
    return text
  }

  static func format(_ second: Int) -> String {
    let day = second / 86_400
    let clock = [second / 3600 % 24, second / 60 % 60, second % 60].map(twoDigits)
    // Days counted from 1 March of year 0, in eras of 400 years: leap days come last.
    let shifted = day + 719_468
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = (shiftedMonth + 2) % 12
    let year = shifted / 146_097 * 400 + yearOfEra + (month < 2 ? 1 : 0)
    return "\(weekdays[day % 7]), \(twoDigits(dayOfMonth)) \(months[month]) \(year) "
      + "\(clock[0]):\(clock[1]):\(clock[2]) GMT"
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
