import CheckoutLifecycle

extension CheckoutSession {
  /// Puts an effect at the end of the work, except for a hint that would be one too many.
  func enqueue(_ effect: CheckoutEffect, for key: CheckoutKey) {
    switch effect {
    // The server is asked instead of told: what a signal brings about is a read.
    case .signal(let signal) where !mayTell(signal, of: key): return enqueue(.read, for: key)
    case .read where isReadWaiting(key): return
    case .read, .signal, .store, .forget, .create, .openPage, .closePage, .scheduleTeardown,
      .watch, .stopWatch, .show:
      break
    }
    work.append((key, effect))
    wake?.yield()
  }

  /// Whether one more of this kind is told; if so, it counts.
  private func mayTell(_ signal: CheckoutSignal, of key: CheckoutKey) -> Bool {
    let count = told[key]?[signal] ?? 0
    guard count < policy.signalRepeatsMax, work.count + signals.count < Self.waitingMax else {
      return false
    }
    told[key, default: [:]][signal] = count + 1
    return true
  }

  /// Whether a read will begin after this moment anyway.
  private func isReadWaiting(_ key: CheckoutKey) -> Bool {
    for entry in work.reversed() where entry.key == key {
      switch entry.effect {
      case .read, .watch: return true
      case .stopWatch: return false
      case .store, .forget, .create, .openPage, .closePage, .scheduleTeardown, .signal, .show:
        continue
      }
    }
    return false
  }
}
