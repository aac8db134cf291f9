/// One input as libFuzzer hands it over, to be read by ``fuzzBytes(_:_:)`` only.
typealias FuzzBody = @convention(c) (UnsafePointer<UInt8>, Int) -> CInt

// SwiftPM owns `main`, so libFuzzer's driver is called as a function instead of linked as `main`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: FuzzBody
) -> CInt

/// Runs `body` on inputs that libFuzzer makes up, until a limit of the command line or a crash
/// ends it. The first argument is ours, so libFuzzer gets those behind it.
func runFuzzer(_ body: FuzzBody) {
  var count = CommandLine.argc - 1
  // The arguments live as long as the process, and there are two at least; the driver may reorder
  // them in place, and takes the first of them for the name of the program.
  var arguments = unsafe CommandLine.unsafeArgv + 1
  _ = unsafe runDriver(&count, &arguments, body)
}

/// A copy of the input. An array of its own lets AddressSanitizer see a read past its end.
func fuzzBytes(_ start: UnsafePointer<UInt8>, _ count: Int) -> [UInt8] {
  // libFuzzer's contract: `count` readable bytes at `start` until the body returns.
  unsafe Array(UnsafeBufferPointer(start: start, count: count))
}
