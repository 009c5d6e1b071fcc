#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Finds the executables that the build has made.
public enum BuiltProduct {
  /// Returns the path of an executable of the package whose tests are running.
  ///
  /// The build puts it beside the tests if a test target depends on it.
  ///
  /// - Parameter name: The name of the product; an absolute path is returned unchanged.
  /// - Returns: The path, whether or not there is a file.
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
