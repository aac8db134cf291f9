private import CTillSockets
private import Glibc

/// Starts a program with pipes to its standard input and output. Whatever fails, no descriptor
/// and no process is left behind.
func startProgram(
  _ path: String, _ arguments: [String], _ environment: [String], _ directory: String?,
  joinsErrors: Bool
) throws(SystemError) -> StartedProgram {
  let input = try makePipe()
  let output: Pipe
  do throws(SystemError) { output = try makePipe() } catch {
    input.closeBoth()
    throw error
  }
  var pid: pid_t = 0
  // Both lists and all texts live until the call returns, and the child gets copies of them.
  let failed = unsafe withCStrings([path] + arguments) { arguments in
    unsafe withCStrings(environment) { environment in
      unsafe till_spawn(
        &pid, path, arguments, environment, directory, input.readEnd, output.writeEnd,
        joinsErrors ? output.writeEnd : -1)
    }
  }
  close(input.readEnd)
  close(output.writeEnd)
  let pidfd = failed == 0 ? till_pidfd_open(pid) : -1
  guard pidfd >= 0 else {
    let error = SystemError("spawn", code: failed == 0 ? errno : failed)
    if failed == 0 {
      kill(-pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    close(input.writeEnd)
    close(output.readEnd)
    throw error
  }
  _ = till_set_nonblocking(input.writeEnd)
  return StartedProgram(pid: pid, input: input.writeEnd, output: output.readEnd, pidfd: pidfd)
}

private struct Pipe {
  let readEnd: Int32
  let writeEnd: Int32

  func closeBoth() {
    close(readEnd)
    close(writeEnd)
  }
}

private func makePipe() throws(SystemError) -> Pipe {
  var ends: [Int32] = [-1, -1]
  // Fills the two elements of the local array.
  guard unsafe till_pipe(&ends) == 0 else { throw SystemError("pipe") }
  return Pipe(readEnd: ends[0], writeEnd: ends[1])
}

/// Calls `body` with the texts as a list of C strings that ends with NULL, valid for the call.
private func withCStrings<Result>(
  _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  // Each is freed below, after the call for which it was made.
  var pointers: [UnsafeMutablePointer<CChar>?] = unsafe texts.map { unsafe strdup($0) }
  unsafe pointers.append(nil)
  defer { unsafe pointers.forEach { unsafe free($0) } }
  return unsafe body(pointers)
}
