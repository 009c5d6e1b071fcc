import Foundation

/// When something was done, as short as it can be said: `14:03`, `2 May`, `2 May 2024`.
struct TimeLabel: Sendable {
  /// The moment the label is read at.
  var now: Date
  /// Whose days these are.
  var calendar: Calendar

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  init(now: Date, calendar: Calendar = .init(identifier: .gregorian)) {
    (self.now, self.calendar) = (now, calendar)
  }

  func text(_ date: Date) -> String {
    let fields: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute]
    let then = calendar.dateComponents(fields, from: date)
    let today = calendar.dateComponents(fields, from: now)
    guard let year = then.year, let month = then.month, let day = then.day,
      Self.months.indices.contains(month - 1)
    else { return "" }
    let name = "\(day) \(Self.months[month - 1])"
    if year != today.year { return "\(name) \(year)" }
    if month != today.month || day != today.day { return name }
    return "\(twoDigits(then.hour)):\(twoDigits(then.minute))"
  }

  private func twoDigits(_ number: Int?) -> String {
    let number = number ?? 0
    return number < 10 ? "0\(number)" : "\(number)"
  }
}
