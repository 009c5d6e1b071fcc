import CPostgres
import Foundation

/// The hosts of a connection string: `host=a,b port=5432` contains two.
///
/// libpq can try one after another as well. But when it does not block, it waits for the first host
/// without a limit, even if that host accepts the connection and never responds.
struct PostgresHosts: Sendable, Equatable {
  /// The settings for each host that replace those of the user: `host`, `hostaddr` and `port`.
  ///
  /// If there is only one host, or if libpq finds it elsewhere, there is one element without
  /// settings.
  let settings: [[String: String]]

  init(_ info: String) {
    let words = Self.words(info) ?? [:]
    let lists = words.mapValues { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let count = max(lists["host"]?.count ?? 1, lists["hostaddr"]?.count ?? 1)
    guard count > 1 else {
      settings = [[:]]
      return
    }
    settings = (0..<count).map { number in
      lists.compactMapValues { list in
        // A single port applies to every host.
        let word = list.count == 1 ? list[0] : number < list.count ? list[number] : ""
        return String(word)
      }
    }
  }

  /// Whether libpq can parse a connection string, and its hosts and ports are plausible.
  ///
  /// For a string that libpq cannot parse, its error quotes the offending part. That is usually a
  /// password that is neither quoted nor percent-encoded.
  static func canRead(_ info: String) -> Bool {
    // Otherwise the string is the name of a database.
    guard info.contains("=") || info.contains("://") else { return true }
    guard let words = words(info) else { return false }
    // The name of a local socket may begin with `@`.
    let isHost = { (name: Substring) in !name.dropFirst().contains("@") }
    return (words["host"] ?? "").split(separator: ",").allSatisfy(isHost)
      && (words["port"] ?? "").allSatisfy { $0 == "," || $0.isWholeNumber }
  }

  /// Parses the string.
  ///
  /// - Returns: `nil` if libpq cannot parse it.
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
