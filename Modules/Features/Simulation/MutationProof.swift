#if FaultInjection
  package import PaymentModels
  import PaymentOracle

  /// Plays worlds with each seeded fault, until the judge finds it.
  package struct MutationProof: Sendable {
    /// What became of a fault, or of the kit as it is.
    package struct Row: Sendable {
      /// Nil for the kit as it is.
      package let fault: SeededFault?
      /// Worlds that were played, the one that found it included.
      package let worlds: Int
      /// The world that found it.
      package let seed: UInt64?
      /// What does not hold there.
      package let invariant: String?
      /// The same in the judge's words, with where.
      package let violation: String?
    }

    private let firstSeed: UInt64
    private let worldsMax: Int
    private let width: Int
    private var settings: WorldSettings

    /// - Parameters:
    ///   - worldsMax: worlds after which a fault counts as not found.
    ///   - width: worlds at once, each on a thread of its own.
    package init(firstSeed: UInt64, worldsMax: Int, width: Int, settings: WorldSettings) {
      self.firstSeed = firstSeed
      self.worldsMax = worldsMax
      self.width = width
      self.settings = settings
      self.settings.keepsTrace = false
    }

    /// Plays the kit as it is, on all worlds that a fault may get.
    package func playHealthy() async -> Row {
      let share = (worldsMax + width - 1) / width
      let starts = stride(from: 0, to: worldsMax, by: max(1, share))
      return await withTaskGroup(of: Row.self) { group in
        for start in starts {
          group.addTask { await play(nil, start..<min(start + share, worldsMax)) }
        }
        return await group.reduce(Row(nil, worlds: 0)) { sum, row in
          let wrong = sum.violation == nil ? row : sum
          return Row(nil, worlds: sum.worlds + row.worlds, wrong.seed, wrong.violation)
        }
      }
    }

    /// Plays every fault, several at once; the rows are in the order given.
    ///
    /// - Parameter progress: told of each row as it is done.
    package func play(
      _ faults: [SeededFault], progress: (Row) async -> Void
    ) async -> [Row] {
      var rows: [Int: Row] = [:]
      var next = faults.indices.makeIterator()
      await withTaskGroup(of: (Int, Row).self) { group in
        func begin() {
          guard let index = next.next() else { return }
          group.addTask { (index, await play(faults[index], 0..<worldsMax)) }
        }
        for _ in 0..<width { begin() }
        for await (index, row) in group {
          rows[index] = row
          await progress(row)
          begin()
        }
      }
      return faults.indices.compactMap { rows[$0] }
    }

    /// Plays the worlds of some numbers until one goes wrong.
    private func play(_ fault: SeededFault?, _ numbers: Range<Int>) async -> Row {
      for number in numbers {
        let seed = firstSeed &+ UInt64(number)
        let report = await SeededFault.$active.withValue(fault) {
          await World.play(WorldPlan(seed: seed), settings)
        }
        // A world that stalls or turns in circles shows no broken promise of the kit.
        let found = report.violations.first { fault == nil || PaymentOracle.Invariant($0) != nil }
        if let found { return Row(fault, worlds: number - numbers.lowerBound + 1, seed, found) }
      }
      return Row(fault, worlds: numbers.count)
    }
  }

  extension MutationProof.Row {
    fileprivate init(
      _ fault: SeededFault?, worlds: Int, _ seed: UInt64? = nil, _ violation: String? = nil
    ) {
      self.fault = fault
      self.worlds = worlds
      self.seed = seed
      self.violation = violation
      invariant = violation.flatMap { PaymentOracle.Invariant($0)?.rawValue }
    }
  }

  extension PaymentOracle.Invariant {
    /// The one that a violation begins with.
    fileprivate init?(_ violation: String) {
      let words = "does not settle: "
      let text = violation.hasPrefix(words) ? violation.dropFirst(words.count) : violation[...]
      guard let found = Self.allCases.first(where: { text.hasPrefix("\($0.rawValue): ") }) else {
        return nil
      }
      self = found
    }
  }
#endif
