import CPostgres
import Foundation

/// The hosts of a connection string: `host=a,b port=5432` are two.
///
/// libpq tries one after the other too, but where nothing blocks it waits for the first for as long
/// as it is let, also for one that takes a connection and never says a word.
struct PostgresHosts: Sendable, Equatable {
  /// What each of them has in place of the user's own: `host`, `hostaddr` and `port`.
  ///
  /// One without anything where there is but one, or where libpq finds it elsewhere.
  let each: [[String: String]]

  init(_ info: String) {
    let words = Self.words(info) ?? [:]
    let lists = words.mapValues { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let count = max(lists["host"]?.count ?? 1, lists["hostaddr"]?.count ?? 1)
    guard count > 1 else {
      each = [[:]]
      return
    }
    each = (0..<count).map { number in
      lists.compactMapValues { list in
        // A single port is every host's.
        let word = list.count == 1 ? list[0] : number < list.count ? list[number] : ""
        return String(word)
      }
    }
  }

  /// Whether libpq can read a connection string, and finds hosts and ports in it that can be such.
  ///
  /// Of one that it cannot read it quotes what it could not: that is mostly a password which is
  /// neither quoted nor percent-encoded.
  static func canRead(_ info: String) -> Bool {
    // Without any of these it is the name of a database.
    guard info.contains("=") || info.contains("://") else { return true }
    guard let words = words(info) else { return false }
    // The name of a local socket may begin with it.
    let isHost = { (name: Substring) in !name.dropFirst().contains("@") }
    return (words["host"] ?? "").split(separator: ",").allSatisfy(isHost)
      && (words["port"] ?? "").allSatisfy { $0 == "," || $0.isWholeNumber }
  }

  /// - Returns: `nil` where libpq cannot read it.
  private static func words(_ info: String) -> [String: String]? {
    guard let options = PQconninfoParse(info, nil) else { return nil }
    defer { PQconninfoFree(options) }
    var found: [String: String] = [:]
    var place = options
    while let keyword = place.pointee.keyword {
      let name = String(cString: keyword)
      if ["host", "hostaddr", "port"].contains(name), let value = place.pointee.val {
        found[name] = String(cString: value)
      }
      place += 1
    }
    return found
  }
}
