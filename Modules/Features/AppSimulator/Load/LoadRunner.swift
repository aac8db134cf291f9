import KitEnvironment
import PaymentModels
import StrictJSON

/// Has many write and read at once, over one server and over two on the same store, and reads back
/// from the store what was acknowledged.
public struct LoadRunner: Sendable {
  /// Sets a stage up with so many servers, plays on it and takes it down.
  public typealias Stages =
    @Sendable (
      _ servers: Int, _ play: @escaping @Sendable (LoadStage) async -> LoadResult?
    ) async throws -> LoadResult?

  /// With how many servers it is played, one after the other.
  private static let servers = [1, 2]
  /// What is told of each kind; more have one cause.
  private static let toldMax = 20

  private let stages: Stages
  private let output: RunOutput

  /// Plays on stages that `stages` sets up.
  public init(stages: @escaping Stages, output: RunOutput) {
    self.stages = stages
    self.output = output
  }

  /// Plays it; gives how much was lost, doubled, locked or never came to be.
  public func run(_ plan: LoadPlan) async -> Int {
    var results: [LoadResult] = []
    var problems: [String] = []
    for servers in Self.servers {
      output.draw?("\(servers) of \(Self.servers.count) servers, \(plan.writers) writers")
      do {
        let result = try await stages(servers) { await Self.play(plan, servers, on: $0) }
        guard let result, !Task.isCancelled else { return problems.count }
        results.append(result)
        problems += result.problems.map { "\(servers) servers: \($0)" }
      } catch {
        guard !Task.isCancelled else { return problems.count }
        problems.append("\(servers) servers: \(error)")
      }
    }
    close(results, problems)
    return problems.count
  }

  private static func play(
    _ plan: LoadPlan, _ servers: Int, on stage: LoadStage
  ) async -> LoadResult? {
    let book = LoadBook()
    let people = LoadPeople(
      stage: stage, book: book, end: stage.environment.clock.uptime() + plan.duration)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<plan.writers {
        group.addTask { await people.write(number) }
        group.addTask { await people.look(number) }
      }
    }
    guard !Task.isCancelled else { return nil }
    do {
      return await LoadResult(servers: servers, book, in: try await stage.end())
    } catch {
      return await LoadResult(servers: servers, book, unread: "\(error)")
    }
  }

  private func close(_ results: [LoadResult], _ problems: [String]) {
    output.draw?("")
    for problem in problems.prefix(Self.toldMax) { output.line("  WRONG  \(problem)") }
    if problems.count > Self.toldMax { output.line("  and \(problems.count - Self.toldMax) more") }
    for line in LoadResult.table(results) { output.line(line) }
    func sum(_ count: (LoadResult) -> Int) -> Int { results.reduce(0) { $0 + count($1) } }
    let doubled = sum(\.doubled)
    output.line(
      "\(sum(\.acknowledged)) writes acknowledged, \(sum(\.lost)) lost, "
        + (doubled == 0 ? "" : "\(doubled) doubled, ")
        + "\(sum(\.locked)) \"\(LoadBook.lockWords)\"")
  }
}

/// How a load with one number of servers went.
public struct LoadResult: Sendable {
  let servers: Int
  let acknowledged: Int
  let lost: Int
  let doubled: Int
  let locked: Int
  let problems: [String]
  /// Of the table.
  private let cells: [String]

  init(servers: Int, _ book: LoadBook, in store: LoadStore) async {
    let verdict = LoadVerdict(await book.writes, in: store)
    await self.init(servers: servers, book, verdict, [])
  }

  /// - Parameter unread: why the store could not be read, so that all is lost.
  init(servers: Int, _ book: LoadBook, unread: String) async {
    let verdict = LoadVerdict(await book.writes, in: LoadStore())
    await self.init(servers: servers, book, verdict, ["the store cannot be read: \(unread)"])
  }

  private init(
    servers: Int, _ book: LoadBook, _ verdict: LoadVerdict, _ failures: [String]
  ) async {
    self.servers = servers
    acknowledged = await book.acknowledged
    (lost, doubled) = (verdict.lost.count, verdict.doubled.count)
    locked = await book.locked + verdict.locked.count
    var kinds = [0, 0, 0]
    for (write, count) in await book.writes { kinds[write.column] += count }
    let reads = [await book.reads, await book.longPolls]
    let names = ["checkouts", "refunds", "webhooks", "reads", "long polls"]
    problems =
      failures + verdict.lost.map { "LOST     \($0)" } + verdict.doubled.map { "DOUBLED  \($0)" }
      + verdict.locked.map { "LOCKED   \($0)" }
      // A load without one of its parts shows nothing.
      + zip(names, kinds + reads).filter { $0.1 == 0 }.map { "there were no \($0.0)" }
      + (await book.locked > 0 ? ["answers told of a lock"] : [])
    let refusals = await book.refusals.sorted { $0.key < $1.key }
      .map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
    cells =
      await (kinds + reads).map(String.init) + [
        "\(book.time(of: 50).wholeMilliseconds)", "\(book.time(of: 99).wholeMilliseconds)",
        refusals.isEmpty ? "none" : refusals,
      ]
  }

  /// All results, by their number of servers.
  static func table(_ results: [LoadResult]) -> [String] {
    let heads = [
      "checkouts", "refunds", "webhooks", "reads", "long polls", "median ms", "p99 ms", "refused",
    ]
    func line(_ first: String, _ cells: [String]) -> String {
      let gap = String(repeating: " ", count: max(1, 9 - first.count))
      return first + gap
        + cells.map { String(repeating: " ", count: max(1, 11 - $0.count)) + $0 }.joined()
    }
    return [line("servers", heads)] + results.map { line("\($0.servers)", $0.cells) }
  }
}

extension LoadWrite {
  /// Its place in the table.
  fileprivate var column: Int {
    switch self {
    case .checkout: 0
    case .refund: 1
    case .webhook: 2
    }
  }
}
