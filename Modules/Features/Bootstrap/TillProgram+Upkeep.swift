import CurlTransport
import KitEnvironment
import MerchantCommands
import StrictJSON
import SystemRuntime

extension TillProgram {
  /// Looks at everything and prints what it found.
  static func doctor(
    _ settings: String, _ asksProviders: Bool, _ asJSON: Bool, _ variables: [String: String],
    _ environment: KitEnvironment
  ) async throws(ConfigurationError) -> Int32 {
    let configuration = try ServerConfiguration(file: settings, environment: variables)
    let transport = CurlTransport()
    let doctor = Doctor(
      configuration: configuration, transport: transport, environment: environment,
      asksProviders: asksProviders)
    let report = DoctorReport(await doctor.checks())
    let text = String(decoding: report.json.serialized(), as: UTF8.self) + "\n"
    Output.write(asJSON ? text : report.text(usesColor: terminal(variables).usesColor))
    await transport.close()
    return report.exitCode
  }

  /// Goes through the checklist before real money moves, and prints it.
  static func goLive(
    _ settings: String, _ publicURL: String?, _ asJSON: Bool, _ variables: [String: String],
    _ environment: KitEnvironment
  ) async throws(ConfigurationError) -> Int32 {
    let configuration = try ServerConfiguration(file: settings, environment: variables)
    let transport = CurlTransport()
    let report = LiveReport(
      await LiveCheckup(
        configuration: configuration, transport: transport, environment: environment,
        publicURL: publicURL
      ).checks())
    let text = String(decoding: report.json.serialized(), as: UTF8.self) + "\n"
    Output.write(asJSON ? text : report.text(usesColor: terminal(variables).usesColor))
    await transport.close()
    return report.exitCode
  }

  /// Where Linux keeps the tz database.
  private static let zoneDirectory = "/usr/share/zoneinfo"
  /// The longest file of the database has 4 KiB.
  private static let zoneBytesMax = 65_536

  /// The file of a time zone; nil if there is none of that name.
  static func zoneFile(_ name: String) -> [UInt8]? {
    let isName = name.utf8.allSatisfy {
      (97...122).contains($0 | 0x20) || (48...57).contains($0)
        || [0x2B, 0x2D, 0x2F, 0x5F].contains($0)
    }
    guard isName, !name.hasPrefix("/") else { return nil }
    return try? Files.read("\(zoneDirectory)/\(name)", bytesMax: zoneBytesMax)
  }
}
