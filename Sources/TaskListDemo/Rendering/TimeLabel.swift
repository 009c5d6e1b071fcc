import Foundation

/// When something was done, as short as it can be said: `14:03`, `2 May`, `2 May 2024`.
struct TimeLabel: Sendable {
  private static let fields: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private let calendar: Calendar
  private let today: DateComponents

  /// Labels as they read at one moment.
  ///
  /// - Parameters:
  ///   - now: The moment.
  ///   - calendar: Whose days these are.
  init(now: Date, calendar: Calendar = Calendar(identifier: .gregorian)) {
    self.calendar = calendar
    today = calendar.dateComponents(Self.fields, from: now)
  }

  func text(_ date: Date) -> String {
    let then = calendar.dateComponents(Self.fields, from: date)
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
