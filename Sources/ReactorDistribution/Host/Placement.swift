import Foundation

/// Computes the host that a reactor belongs to, with rendezvous hashing.
///
/// Every host computes the same result from the list of hosts alone. Each host gets its share. When
/// a host joins or leaves, only the reactors move that it gets or had.
enum Placement {
  /// Returns the host with the highest score; `nil` if there is none.
  static func host(for name: String, _ id: String, among hosts: [ClusterHost]) -> ClusterHost? {
    let key = hash(name, id)
    return hosts.max { score(key, $0.id) < score(key, $1.id) }
  }

  private static func score(_ key: UInt64, _ host: HostID) -> UInt64 {
    let bytes = host.uuid.uuid
    let (high, low) = withUnsafeBytes(of: bytes) {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    return mix(mix(key ^ UInt64(bigEndian: high)) ^ UInt64(bigEndian: low))
  }

  private static func hash(_ name: String, _ id: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash = (hash ^ 0xff) &* 0x100_0000_01b3
    for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return mix(hash)
  }

  /// The final step of SplitMix64, by Sebastiano Vigna, in the public domain.
  private static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
