public import Foundation

/// A chain of steps, each from one version of what is kept to the next.
///
/// ```swift
/// static let journalVersion = 3
/// static let upgrades: JournalUpgrades = [
///   1: .json { $0["title"] = $0.removeValue(forKey: "name") },
///   2: .data { old in try encode(V3(decode(V2.self, old))) },
/// ]
/// ```
///
/// The key is the version that a step begins with. What was kept under version 1 takes both steps,
/// at reading; the bytes that are kept stay as they are.
public struct JournalUpgrades: Sendable, ExpressibleByDictionaryLiteral {
  /// One step: from an encoded value to the values it is in the next version, mostly one.
  public struct Step: Sendable {
    let run: @Sendable (Data) throws -> [Data]

    /// One value becomes one.
    public static func data(_ upgrade: @escaping @Sendable (Data) throws -> Data) -> Step {
      Step { [try upgrade($0)] }
    }

    /// One value becomes several, or none; of a state, the first one counts.
    public static func splitting(
      _ upgrade: @escaping @Sendable (Data) throws -> [Data]
    ) -> Step {
      Step { try upgrade($0) }
    }

    /// One value, written in JSON as an object, becomes one.
    ///
    /// All of the object is read and written anew by Foundation, which on Linux makes 0 of -0.0 and
    /// leaves out a text's leading U+FEFF; where that matters, use ``data(_:)``.
    ///
    /// - Parameter upgrade: Edits what is in the object.
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

  /// A chain of the steps that are written down, by the version each begins with.
  ///
  /// - Parameter elements: The steps.
  public init(dictionaryLiteral elements: (Int, Step)...) {
    steps = Dictionary(elements) { _, last in last }
  }

  /// What a value is in a later version.
  ///
  /// - Parameters:
  ///   - data: The value, encoded.
  ///   - version: Its version.
  ///   - newest: The later one.
  /// - Returns: The values that it has become.
  /// - Throws: Where a step is missing, or what the steps throw.
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

/// Why a value of another version cannot be read.
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
