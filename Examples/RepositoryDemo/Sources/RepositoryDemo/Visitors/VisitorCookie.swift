import Foundation
import RepositoryCore

/// What a browser stores about its session: its identifier and the logged-in user.
///
/// It is signed, so that only this service can create one. A browser has two of them. `session`
/// identifies the session only. `login`, which exists from a login to a logout, also has the
/// logged-in user. A page that arrives late can set only `session`: it neither ends a login nor
/// restores one.
struct VisitorCookie: Equatable, Sendable {
  static let name = "session"
  static let login = "login"

  var session: String
  /// The session's generation when this was written; one from before a login is invalid after it.
  var generation: Int
  var user: LoginReactor.User?

  /// Creates the cookie of a new session, without a login.
  init() {
    session = Digest.random(16).hexadecimal
    generation = 0
  }

  init(_ session: String, _ login: LoginReactor.State) {
    (self.session, generation, user) = (session, login.generation, login.user)
  }

  /// The session without its login.
  var anonymous: VisitorCookie { VisitorCookie(session, LoginReactor.State()) }

  /// The identifier of the login, as its account stores it.
  var id: String { "\(session).\(generation)" }

  fileprivate var content: String {
    "\(session).\(generation).\(user?.name ?? "-").\(user?.epoch ?? 0)"
  }
}

/// The key with which this service signs.
struct Signer: Sendable {
  private let key: Data

  init() { key = Digest.random(32) }

  /// Reads the key from a file, or creates it, so that logins survive a restart.
  init(at path: String) throws {
    if let data = FileManager.default.contents(atPath: path) {
      guard data.count == 32 else { throw DamagedKey(path: path) }
      key = data
    } else {
      key = Digest.random(32)
      guard
        FileManager.default.createFile(
          atPath: path, contents: key, attributes: [.posixPermissions: 0o600])
      else { throw DamagedKey(path: path) }
    }
  }

  struct DamagedKey: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path) is no key of 32 bytes, and cannot be made one" }
  }

  func text(of cookie: VisitorCookie) -> String {
    "\(cookie.content).\(code("cookie", cookie.content))"
  }

  /// Parses a text that was signed with this key; `nil` for any other.
  func cookie(_ text: String) -> VisitorCookie? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5, text.utf8.count < 300, let generation = Int(parts[1]),
      let epoch = Int(parts[3]),
      isRight(parts[4], "cookie", parts[0..<4].joined(separator: "."))
    else { return nil }
    var cookie = VisitorCookie()
    (cookie.session, cookie.generation) = (parts[0], generation)
    if parts[2] != "-" { cookie.user = .init(name: parts[2], epoch: epoch) }
    return cookie
  }

  /// The token that a form sends, so that it cannot come from another site's page.
  func token(_ cookie: VisitorCookie) -> String {
    code("form", cookie.id)
  }

  func isRight(token: String, _ cookie: VisitorCookie) -> Bool {
    isRight(token, "form", cookie.id)
  }

  private func code(_ use: String, _ text: String) -> String {
    Digest.code(of: "\(use)|\(text)", key: key).hexadecimal
  }

  private func isRight(_ code: String, _ use: String, _ text: String) -> Bool {
    guard let bytes = Data(hexadecimal: code) else { return false }
    return Digest.isEqual(bytes, Digest.code(of: "\(use)|\(text)", key: key))
  }
}

extension Data {
  var hexadecimal: String {
    map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  init?(hexadecimal text: String) {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    self = Data(
      stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }
}
