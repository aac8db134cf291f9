import TestSupport
import Testing

/// One contract for all providers: each client against its sandbox, which are written apart.
@Suite("Every provider keeps the contract")
struct ProviderContractTests {
  @Test(arguments: ProviderContract.cases, BenchKind.all)
  func `against its sandbox in process`(
    promise: ProviderContract.Case, kind: BenchKind
  ) async throws {
    #expect(try await kind.bench(.inProcess) { try await promise.violations(on: $0) } == [])
  }

  // One after the other: each has threads of its own.
  @Test(.serialized, arguments: ProviderContract.cases, BenchKind.all)
  func `against its sandbox over a socket`(
    promise: ProviderContract.Case, kind: BenchKind
  ) async throws {
    #expect(try await kind.bench(.loopback) { try await promise.violations(on: $0) } == [])
  }
}

/// The same contract at the providers' own servers, as far as it needs no person at the page.
@Suite("Every provider keeps the contract with a real test account")
struct RealAccountTests {
  private static let cases = ProviderContract.cases.filter(\.needs.isEmpty)

  private func violations(
    _ promise: ProviderContract.Case, _ account: RealAccount
  ) async throws -> [String] {
    try await account.bench { try await promise.violations(on: $0) }
  }

  @Test(.enabled(if: RealAccount.tabby.isNamed, "\(RealAccount.tabby.absence)"), arguments: cases)
  func `Tabby`(promise: ProviderContract.Case) async throws {
    #expect(try await violations(promise, .tabby) == [])
  }

  @Test(.enabled(if: RealAccount.futa.isNamed, "\(RealAccount.futa.absence)"), arguments: cases)
  func `Futa`(promise: ProviderContract.Case) async throws {
    #expect(try await violations(promise, .futa) == [])
  }

  @Test(.enabled(if: RealAccount.rais.isNamed, "\(RealAccount.rais.absence)"), arguments: cases)
  func `Raïs`(promise: ProviderContract.Case) async throws {
    #expect(try await violations(promise, .rais) == [])
  }

  @Test(.enabled(if: RealAccount.tebex.isNamed, "\(RealAccount.tebex.absence)"), arguments: cases)
  func `Tebex`(promise: ProviderContract.Case) async throws {
    #expect(try await violations(promise, .tebex) == [])
  }

  @Test(.enabled(if: RealAccount.seb.isNamed, "\(RealAccount.seb.absence)"), arguments: cases)
  func `SEB`(promise: ProviderContract.Case) async throws {
    #expect(try await violations(promise, .seb) == [])
  }
}
