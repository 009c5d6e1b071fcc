import Foundation

/// Formats numbers and dates, independent of the server's locale and time zone.
enum Formats {
  /// `981`, `1.2k`, `34k`, `1.2M`.
  static func count(_ number: Int) -> String {
    switch number {
    case ..<1000: "\(number)"
    case ..<10_000: "\(number / 1000).\(number % 1000 / 100)k"
    case ..<1_000_000: "\(number / 1000)k"
    default: "\(number / 1_000_000).\(number % 1_000_000 / 100_000)M"
    }
  }

  /// `12,345`.
  static func whole(_ number: Int) -> String {
    var (text, digits) = ("", String(number))
    while digits.count > 3 {
      text = ",\(digits.suffix(3))\(text)"
      digits.removeLast(3)
    }
    return digits + text
  }

  /// `3 Feb 2026`, in UTC.
  static func day(_ date: Date) -> String {
    let parts = calendar.dateComponents([.day, .month, .year], from: date)
    return "\(parts.day ?? 1) \(months[(parts.month ?? 1) - 1]) \(parts.year ?? 1970)"
  }

  /// `14:05:09`, in UTC.
  static func time(_ date: Date) -> String {
    let parts = calendar.dateComponents([.hour, .minute, .second], from: date)
    return [parts.hour, parts.minute, parts.second].map { number in
      let number = number ?? 0
      return number < 10 ? "0\(number)" : "\(number)"
    }.joined(separator: ":")
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()
}
