#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where the build put its executables.
public enum BuiltProduct {
  /// The path of an executable of this package, beside the tests that are running.
  ///
  /// - Parameter name: The product's name; an absolute path stays as it is.
  /// - Returns: Its path; starting it says whether it is there.
  public static func path(_ name: String) -> String {
    name.hasPrefix("/") ? name : "\(directory)/\(name)"
  }

  private static var directory: String {
    let parts = testPath.split(separator: "/", omittingEmptySubsequences: false)
    // On Apple platforms the tests are a bundle, a directory itself.
    let end = parts.firstIndex { $0.hasSuffix(".xctest") } ?? max(parts.count - 1, 0)
    return parts[..<end].joined(separator: "/")
  }

  private static var testPath: String {
    #if os(Linux)
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink("/proc/self/exe", &buffer, buffer.count)
      return String(decoding: buffer[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    #else
      let arguments = CommandLine.arguments
      return arguments.first { $0.contains(".xctest") } ?? arguments[0]
    #endif
  }
}
