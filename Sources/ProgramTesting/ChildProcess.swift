import Reactor
import ReactorRuntime

#if canImport(Darwin)
  package import Darwin
#elseif canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#endif

/// A program to start, and its descriptors.
package struct ChildProcess {
  /// What a descriptor of the child is.
  package enum Descriptor {
    case copy(of: Int32)
    case terminal(path: String)
  }

  var executable: String
  var arguments: [String]
  var environment: [String: String]
  var descriptors: [(number: Int32, leads: Descriptor)]
  var leadsSession = false

  package init(
    executable: String, arguments: [String] = [], environment: [String: String],
    descriptors: [(number: Int32, leads: Descriptor)], leadsSession: Bool = false
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.descriptors = descriptors
    self.leadsSession = leadsSession
  }

  /// Starts it; descriptors that are not named are closed in it.
  package func start() throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, leads) in descriptors {
      switch leads {
      case .copy(let source): posix_spawn_file_actions_adddup2(&actions, source, number)
      case .terminal(let path):
        // Opened by the session's leader, it becomes the terminal that Ctrl-C belongs to.
        posix_spawn_file_actions_addopen(&actions, number, path, O_RDWR, 0)
      }
    }
    return try spawn(actions)
  }

  private func spawn(_ actions: posix_spawn_file_actions_t) throws -> pid_t {
    var actions = actions
    var attributes = try attributes()
    defer { posix_spawnattr_destroy(&attributes) }
    let argv = ([executable] + arguments).map { strdup($0) } + [nil]
    let environ = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { (argv + environ).forEach { free($0) } }
    var pid: pid_t = 0
    let error = Descriptors.inheritance.withLock { _ in
      posix_spawn(&pid, executable, &actions, &attributes, argv, environ)
    }
    guard error == 0 else {
      throw TerminalFailure("cannot start \(executable): \(String(cString: strerror(error)))")
    }
    return pid
  }

  /// The signals as a shell sets them, whatever the test runner does with its own.
  private func attributes() throws -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    for fixed in [SIGKILL, SIGSTOP] { sigdelset(&all, fixed) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(Int32(flags) | (leadsSession ? Self.setsid : 0)))
    return attributes
  }

  #if canImport(Darwin)
    private static let setsid: Int32 = 0x400
  #else
    private static let setsid: Int32 = 0x80
  #endif

  /// Waits for its end; it blocks its thread.
  package static func wait(for pid: pid_t) -> ExitStatus {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return ExitStatus(waitStatus: status)
  }
}

/// Why a program could not be started, or an expectation was not met.
public struct TerminalFailure: Error, CustomStringConvertible {
  /// What happened, and what the screen shows, if there is one.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
