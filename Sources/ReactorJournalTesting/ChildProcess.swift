import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A running program with null input and output.
///
/// It is started with `posix_spawn`. Foundation's `Process` on Linux reads past the end of a list
/// if the process has about 1,360 open files, and sometimes crashes.
struct ChildProcess {
  let id: pid_t

  /// Starts a program.
  ///
  /// - Throws: The system's error if the program could not be started.
  static func start(
    _ program: String, _ arguments: [String], environment: [String: String]
  ) throws -> ChildProcess {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in STDIN_FILENO...STDERR_FILENO {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, program, &actions, nil, words, variables)
    guard code == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL)
    }
    return ChildProcess(id: id)
  }

  /// Returns when the program has ended, for whatever reason.
  ///
  /// A separate thread waits for it, since the threads of the concurrency pool must not block.
  func end() async {
    await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
      Thread.detachNewThread {
        var status: CInt = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        ended.resume()
      }
    }
  }
}
