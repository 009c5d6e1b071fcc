import Foundation
import Hummingbird
import NIOCore
import RepositoryCore

/// The style sheet and the script, embedded in the program, so that no path can be wrong.
///
/// Their names contain a hash of their content, so a browser loads each only once.
struct Assets: Sendable {
  let name: String
  private let type: String
  private let bytes: [UInt8]

  static let style = Assets("css", "text/css", PackageResources.page_css)
  /// The parts that the page's script uses come before it.
  static let script = Assets(
    "js", "text/javascript",
    PackageResources.focus_js + PackageResources.rows_js + PackageResources.moves_js
      + PackageResources.page_js)
  static let all = Dictionary(uniqueKeysWithValues: [style, script].map { ($0.name, $0) })

  private init(_ ending: String, _ type: String, _ bytes: [UInt8]) {
    let digest = Digest.sha256(bytes).prefix(6).hexadecimal
    (name, self.type, self.bytes) = ("page-\(digest).\(ending)", type, bytes)
  }

  var path: String { "/assets/\(name)" }

  var response: Response {
    Response(
      status: .ok,
      headers: [
        .contentType: "\(type); charset=utf-8",
        .cacheControl: "public, max-age=31536000, immutable",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
