/// One input as libFuzzer hands it over, to be read by ``fuzzBytes(_:_:)`` only.
public typealias FuzzBody = @convention(c) (UnsafePointer<UInt8>, Int) -> CInt

// SwiftPM owns `main`, so libFuzzer's driver is called as a function instead of linked as `main`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: FuzzBody
) -> CInt

/// Runs `body` on inputs that libFuzzer makes up, until a limit of the command line or a crash
/// ends it. A property that does not hold is a crash: `precondition`.
public func runFuzzer(_ body: FuzzBody) {
  var count = CommandLine.argc
  // The arguments live as long as the process; the driver may reorder them in place.
  var arguments = unsafe CommandLine.unsafeArgv
  _ = unsafe runDriver(&count, &arguments, body)
}

/// A copy of the input. An array of its own lets AddressSanitizer see a read past its end.
public func fuzzBytes(_ start: UnsafePointer<UInt8>, _ count: Int) -> [UInt8] {
  // libFuzzer's contract: `count` readable bytes at `start` until the body returns.
  unsafe Array(UnsafeBufferPointer(start: start, count: count))
}
