import MerchantCommands
import SystemRuntime

extension TillProgram {
  /// Prints where a page is and, if wanted, has a browser show it.
  static func open(
    _ page: PageToOpen, inBrowser: Bool, _ variables: [String: String]
  ) async throws -> Int32 {
    let server = try Program.serverURL(variables["TILL_SERVER"] ?? defaultServer)
    let url = page.url(server: server)
    Output.write(url + "\n")
    guard inBrowser else { return 0 }
    guard let program = browser(variables, exists: Files.exists) else {
      throw ConfigurationError("BROWSER", "no such program is in PATH; the URL is above")
    }
    // Started as it is, without a shell: nothing in a URL can become a command.
    let process = try ChildProcess(program, arguments: [url], environment: variables)
    process.closeInput()
    return await process.wait() == .exited(0) ? 0 : browserFailedCode
  }

  /// What the program said itself is on standard error.
  private static let browserFailedCode: Int32 = 69

  /// The path of the program that `BROWSER` names, or of `xdg-open`; nil if there is none.
  static func browser(
    _ variables: [String: String], exists: (String) -> Bool
  ) -> String? {
    let named = variables["BROWSER"] ?? ""
    let name = named.isEmpty ? "xdg-open" : named
    if name.contains("/") { return exists(name) ? name : nil }
    return (variables["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first(where: exists)
  }
}
