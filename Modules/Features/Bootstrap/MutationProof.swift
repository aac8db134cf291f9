#if FaultInjection
  import KitEnvironment
  import PaymentModels
  import Simulation

  /// Plays worlds with each seeded fault, until the judge finds it: in processes of their own, so
  /// that a fault which traps or never comes to an end takes nothing along.
  struct MutationProof: Sendable {
    /// What became of a fault, or of the kit as it is.
    struct Row: Sendable {
      /// Nil for the kit as it is.
      let fault: SeededFault?
      /// Worlds that were played, one that found it included.
      let worlds: Int
      let end: End
    }

    /// How the worlds ended.
    enum End: Sendable {
      /// No promise was broken.
      case right
      /// The world of a seed breaks a promise; in the judge's words, with where.
      case found(seed: UInt64, violation: String)
      /// A process died or had to be ended. That is for a person to look at: a mistake that ends
      /// the program is seen without a judge, and the judge is what is to be proved here.
      case stopped(String)
    }

    let firstSeed: UInt64
    /// Worlds after which a fault counts as not found.
    let worldsMax: Int
    /// Processes at once.
    let jobs: Int
    /// Where this program is; nil if that cannot be known.
    let program: String?
    /// Where the processes put their files.
    let scratch: String
    let variables: [String: String]
    let clock: KitClock

    /// Plays the kit as it is, on all worlds that a fault may get.
    func playHealthy() async -> Row { await play(nil, jobs: jobs) }

    /// Plays every fault, several at once; the rows are in the order given.
    ///
    /// - Parameter progress: told of each row as it is done.
    func play(_ faults: [SeededFault], progress: (Row) async -> Void) async -> [Row] {
      var rows: [Int: Row] = [:]
      var next = faults.indices.makeIterator()
      await withTaskGroup(of: (Int, Row).self) { group in
        func begin() {
          guard let index = next.next() else { return }
          group.addTask { (index, await play(faults[index], jobs: 1)) }
        }
        for _ in 0..<jobs { begin() }
        for await (index, row) in group {
          rows[index] = row
          await progress(row)
          begin()
        }
      }
      return faults.indices.compactMap { rows[$0] }
    }

    private func play(_ fault: SeededFault?, jobs: Int) async -> Row {
      let workers = SimulationWorkers(
        command: SimulateInvocation(
          runs: worldsMax, seed: firstSeed, kinds: Set(WorldPart.Kind.allCases), showsTrace: false,
          isJSON: true, replays: nil, jobs: jobs, playsTwice: false, shrinks: false, fault: fault),
        program: program, scratch: scratch, variables: variables, clock: clock)
      var worlds = 0
      var end = End.right
      do {
        try await workers.run { outcome, _ in
          worlds += 1
          // A world that stalls or turns in circles shows no broken promise of the kit.
          let found = outcome.failure?.found.first {
            fault == nil || Violation.invariant(of: $0) != nil
          }
          guard let found else { return true }
          end = .found(seed: outcome.seed, violation: found)
          return false
        }
      } catch {
        end = .stopped("\(error)")
      }
      return Row(fault: fault, worlds: worlds, end: end)
    }
  }

  extension MutationProof.Row {
    /// The world that found it.
    var seed: UInt64? {
      if case .found(let seed, _) = end { seed } else { nil }
    }

    /// What does not hold there.
    var invariant: String? {
      if case .found(_, let violation) = end { Violation.invariant(of: violation) } else { nil }
    }
  }

  extension MutationProof.End {
    /// What follows the number of worlds.
    var words: String {
      switch self {
      case .right: ""
      case .found(let seed, let violation): ", seed \(seed), \(violation)"
      case .stopped(let why): ", STOPPED: \(why)"
      }
    }
  }
#endif
