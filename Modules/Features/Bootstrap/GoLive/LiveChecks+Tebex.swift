import MerchantCommands
import PaymentModels
import ProviderInterface
import TebexProvider

extension TebexProvider: LiveChecked {
  func liveChecks(_ checkup: AccountCheckup) async -> [LiveCheck] {
    let (key, currency) = await store(checkup)
    return [
      key, checkup.mode(nil, knownBy: .nothing), currency, await packages(checkup),
      await access(checkup), await checkup.reach(), validated(checkup), checkup.payment(),
      checkup.refund(),
      checkup.you("test", "The panel's method Test Payments is off: what it takes is not real."),
      checkup.you(
        "redirect", "A paid page sends the payer back by itself, to the app's own scheme."),
      checkup.you("tax", "Tebex adds its tax on top of the price; the shop's texts say so."),
    ]
  }

  private func store(_ checkup: AccountCheckup) async -> (key: LiveCheck, currency: LiveCheck) {
    do throws(ProviderError) {
      let store = try await store()
      let wanted = configuration.currency.code
      let currency =
        store.currency == wanted
        ? checkup.currency()
        : checkup.check(
          "currency", .no, "the store's is \(store.currency), and the settings say \(wanted)",
          advice: "set currency to the store's, and the catalogue's prices with it")
      guard !store.isDisabled else {
        let key = checkup.check(
          "key", .no, "the store is known, and disabled", advice: "open it in Tebex' panel")
        return (key, currency)
      }
      return (checkup.check("key", .yes, "the store is known by its public token"), currency)
    } catch {
      let currency = checkup.check("currency", .cannotTell, "the store did not answer")
      // A token of nobody is answered as a wrong request.
      guard error.kind == .refused || error.kind == .notFound else {
        return (checkup.key(failing: error), currency)
      }
      let key = checkup.check(
        "key", .no, "no store has this public token (\(error))",
        advice: "compare public_token with Tebex' panel")
      return (key, currency)
    }
  }

  /// A product is paid here if it is a package with the same price.
  private func packages(_ checkup: AccountCheckup) async -> LiveCheck {
    do throws(ProviderError) {
      let offered = try await packages()
      let sold = checkup.catalogue.prices.filter { $0.price.currency == configuration.currency }
      let known = sold.filter { product in offered.contains { $0.id == product.id } }
      guard !known.isEmpty else {
        return checkup.check(
          "packages", .no, "no product of the catalogue is a package of the store",
          advice: "give products the ids that their packages have in Tebex' panel")
      }
      let other = known.filter { product in
        offered.contains { $0.id == product.id && $0.basePrice != product.price }
      }
      guard let first = other.first else {
        return checkup.check(
          "packages", .yes, "\(known.count) products are packages, each with its base price")
      }
      return checkup.check(
        "packages", .no, "product \(first.id) has another price than its package",
        advice: "the payer pays the package's: mend the catalogue")
    } catch {
      return checkup.check("packages", .cannotTell, "\(error)")
    }
  }

  /// Whether the Checkout API takes its keys: a transaction that does not exist tells.
  private func access(_ checkup: AccountCheckup) async -> LiveCheck {
    let basket = ProviderPaymentID(checkup.madeUpID)
    do throws(ProviderError) {
      guard try await readTransaction(madeUpTransaction, of: basket) != nil else {
        return checkup.you(
          "refunds", "Without access to the Checkout API refunds are made in Tebex' panel.")
      }
      return checkup.check("refunds", .yes, "the Checkout API takes its keys")
    } catch {
      if error.kind == .notFound {
        return checkup.check("refunds", .yes, "the Checkout API takes its keys")
      }
      guard error.kind == .unauthorized else {
        return checkup.check("refunds", .cannotTell, "\(error)")
      }
      return checkup.check(
        "refunds", .no, "the Checkout API does not take its keys",
        advice: "compare checkout.username and checkout.password with Tebex' panel")
    }
  }

  /// Tebex delivers nothing to an address before it has validated it, so any delivery proves that.
  private func validated(_ checkup: AccountCheckup) -> LiveCheck {
    guard let at = checkup.evidence.deliveredAt else {
      return checkup.check(
        "validated", .cannotTell, "no call says whether Tebex has validated the address",
        advice: "press Validate in its panel; the log then says \"endpoint was validated\"")
    }
    return checkup.check(
      "validated", .yes, "Tebex delivers only where it has validated, and did so at \(at)")
  }
}

/// In the form of Tebex' ids, of no payment.
private let madeUpTransaction = "tbx-00000000000000-000000"
