extension StoryCast {
  /// Gives `body` a cast, whose apps are listened to meanwhile and ended afterwards.
  static func perform<Ending: Sendable>(
    on stage: Stage, _ body: @escaping @Sendable (StoryCast) async -> Ending
  ) async -> (StoryCast, Ending) {
    let (pumps, feeder) = AsyncStream.makeStream(of: AppDriver.self)
    let cast = StoryCast(stage: stage) { feeder.yield($0) }
    let ending = await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await withTaskGroup(of: Void.self) { apps in
          for await driver in pumps { apps.addTask { await driver.pump() } }
          apps.cancelAll()
        }
      }
      let ending = await body(cast)
      await cast.quit()
      feeder.finish()
      group.cancelAll()
      return ending
    }
    return (cast, ending)
  }
}
