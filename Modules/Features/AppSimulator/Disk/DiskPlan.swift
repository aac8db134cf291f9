/// Which disks go bad: each kind in each scene, later each time, until nothing comes of it.
public struct DiskPlan: Sendable {
  private struct Series: Sendable {
    let kind: DiskFault.Kind
    let scene: DiskScene
    var numbers: SweepNumbers

    var name: String { "\(kind.rawValue)/\(scene.rawValue)" }
  }

  private var series: [Series]
  /// Whether nothing was filtered out, so that each scene must have had a bad disk.
  let isWhole: Bool

  /// Every series whose `KIND/SCENE` contains the text, or the one run of that name.
  ///
  /// - Parameter step: by how much the distance from one number to the next is multiplied.
  public init(every step: Int, filter: String? = nil) {
    let all = DiskFault.Kind.allCases.flatMap { kind in
      DiskScene.allCases.map {
        Series(kind: kind, scene: $0, numbers: SweepNumbers(step: step * kind.step))
      }
    }
    isWhole = filter == nil
    let parts = (filter ?? "").split(separator: "/").map(String.init)
    if parts.count == 3, let number = Int(parts[2]), number > 0,
      var own = all.first(where: { $0.name == "\(parts[0])/\(parts[1])" })
    {
      own.numbers = SweepNumbers(from: number, step: 1, through: number)
      series = [own]
    } else {
      series = filter.map { text in all.filter { $0.name.contains(text) } } ?? all
    }
  }

  /// Whether there is nothing to play.
  public var isEmpty: Bool { series.isEmpty }

  /// The next one, from each series in turn; nil once all are at their end.
  mutating func take() -> DiskFault? {
    for _ in series.indices {
      var first = series.removeFirst()
      let number = first.numbers.take()
      series.append(first)
      if let number { return DiskFault(kind: first.kind, scene: first.scene, number: number) }
    }
    return nil
  }

  /// Takes in whether a call of the program failed.
  mutating func note(_ fault: DiskFault, isHit: Bool) {
    for index in series.indices
    where series[index].kind == fault.kind && series[index].scene == fault.scene {
      series[index].numbers.note(fault.number, isHit: isHit)
    }
  }
}
