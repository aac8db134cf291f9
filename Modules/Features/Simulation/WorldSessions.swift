import CheckoutLifecycle
import CheckoutSession
import MerchantServer
import PaymentModels

/// The merchant's own sign-ins: who a token speaks for, and the key of the staff. Both change.
// Reached only from jobs and timers of the world, so on its one thread.
final class WorldSessions: @unchecked Sendable {
  /// The sign-in of each payer that counts now; tokens of earlier ones have run out.
  private var generations: [Int: Int] = [:]
  /// The keys of the staff that the server of the next life takes, by generation.
  var operatorGenerations = [0]
  /// The key that the staff uses.
  var operatorGeneration = 0

  /// Which sign-in of a payer counts.
  func generation(of payer: Int) -> Int { generations[payer, default: 0] }

  /// The time of a payer's tokens runs out.
  func runOut(_ payer: Int) { generations[payer, default: 0] += 1 }

  static func appToken(_ payer: Int, _ generation: Int) -> Secret {
    Secret("world-app-token-\(payer)-\(generation)")
  }

  static func operatorKey(_ generation: Int) -> Secret {
    Secret("world-operator-\(WorldShop.keyMark)-\(generation)")
  }

  /// What the server of one life believes.
  func tokens(payers: Int) -> WorldTokens {
    WorldTokens(
      payers: payers, sessions: self, operatorKeys: operatorGenerations.map(Self.operatorKey))
  }
}

struct WorldTokens: CallerAuthenticator {
  let payers: Int
  let sessions: WorldSessions
  let operatorKeys: [Secret]

  func caller(of token: Secret) async -> Caller? {
    if operatorKeys.contains(token) { return .operator(WorldShop.operatorName) }
    let payer = (0..<payers).first {
      WorldSessions.appToken($0, sessions.generation(of: $0)) == token
    }
    return payer.map { .user(WorldShop.subject($0)) }
  }

  func hasExpired(_ token: Secret) async -> Bool {
    (0..<payers).contains { payer in
      (0..<sessions.generation(of: payer)).contains {
        WorldSessions.appToken(payer, $0) == token
      }
    }
  }
}

/// An app's way to its server that tells the phone when nobody is signed in any more, and what was
/// asked for.
struct SignedInBackend: MerchantBackend {
  let inner: any MerchantBackend
  let onSignInNeeded: @Sendable () -> Void
  /// Told of a create before it is sent.
  let onCreate: @Sendable (CheckoutKey) -> Void
  /// Told of a create that came to nothing, for good.
  let onRefusal: @Sendable (CheckoutKey) -> Void

  func createCheckout(
    _ request: CheckoutRequest, key: CheckoutKey
  ) async throws(BackendError) -> PaymentAnswer {
    onCreate(key)
    do throws(BackendError) {
      return try await inner.createCheckout(request, key: key)
    } catch {
      if [.giveUp, .notFound, .beingPaid].contains(error.kind) { onRefusal(key) }
      throw told(error)
    }
  }

  func readPayment(
    _ id: PaymentID, wait: Duration, knownVersion: Int64?
  ) async throws(BackendError) -> PaymentAnswer? {
    do throws(BackendError) {
      return try await inner.readPayment(id, wait: wait, knownVersion: knownVersion)
    } catch {
      throw told(error)
    }
  }

  func sendSignal(_ signal: CheckoutSignal, for id: PaymentID) async throws(BackendError) {
    do throws(BackendError) {
      try await inner.sendSignal(signal, for: id)
    } catch {
      throw told(error)
    }
  }

  private func told(_ error: BackendError) -> BackendError {
    if error.kind == .signInNeeded { onSignInNeeded() }
    return error
  }
}
