public import Foundation

/// A chain of upgrade steps, each from one version of the stored data to the next.
///
/// ```swift
/// static let journalVersion = 3
/// static let upgrades: JournalUpgrades = [
///   1: .json { $0["title"] = $0.removeValue(forKey: "name") },
///   2: .data { old in try encode(V3(decode(V2.self, old))) },
/// ]
/// ```
///
/// The key of a step is the version that it upgrades from. Data of version 1 passes both steps when
/// it is read. The stored bytes do not change.
public struct JournalUpgrades: Sendable, ExpressibleByDictionaryLiteral {
  /// One upgrade step: it makes the values of the next version from one encoded value.
  public struct Step: Sendable {
    let run: @Sendable (Data) throws -> [Data]

    /// A step that makes one encoded value from one.
    public static func data(_ upgrade: @escaping @Sendable (Data) throws -> Data) -> Step {
      Step { [try upgrade($0)] }
    }

    /// A step that makes several values from one, or none; of a state, only the first is used.
    public static func splitting(
      _ upgrade: @escaping @Sendable (Data) throws -> [Data]
    ) -> Step {
      Step { try upgrade($0) }
    }

    /// A step that edits one value that is encoded as a JSON object.
    ///
    /// Foundation reads the whole object and writes it again. On Linux, that turns -0.0 into 0, and
    /// drops a leading U+FEFF of a text. If that matters, use ``data(_:)``.
    ///
    /// - Parameter upgrade: Edits the object.
    /// - Returns: The step.
    public static func json(
      _ upgrade: @escaping @Sendable (inout [String: Any]) throws -> Void
    ) -> Step {
      Step { data in
        guard var object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
          throw DecodingError.typeMismatch(
            [String: Any].self,
            .init(codingPath: [], debugDescription: "An upgrade expects an object."))
        }
        try upgrade(&object)
        return [try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)]
      }
    }
  }

  let steps: [Int: Step]

  /// Creates a chain from a dictionary literal of versions and steps.
  ///
  /// - Parameter elements: The steps, by the version that each upgrades from.
  public init(dictionaryLiteral elements: (Int, Step)...) {
    steps = Dictionary(elements) { _, last in last }
  }

  /// Upgrades a value to a later version.
  ///
  /// - Parameters:
  ///   - data: The encoded value.
  ///   - version: Its version.
  ///   - newest: The version to upgrade to.
  /// - Returns: The upgraded values.
  /// - Throws: An error if a step is missing, or what a step throws.
  package func run(_ data: Data, from version: Int, to newest: Int) throws -> [Data] {
    if version > newest { throw VersionProblem.newer(version, known: newest) }
    var values = [data]
    for version in version..<newest {
      guard let step = steps[version] else { throw VersionProblem.noUpgrade(from: version) }
      values = try values.flatMap(step.run)
    }
    return values
  }
}

/// The reason why a value of another version cannot be read.
enum VersionProblem: Error, CustomStringConvertible {
  case newer(Int, known: Int)
  case noUpgrade(from: Int)

  var description: String {
    switch self {
    case .newer(let version, let known):
      "it is of version \(version), and this program knows \(known) at most"
    case .noUpgrade(let version): "there is no upgrade from version \(version)"
    }
  }
}
