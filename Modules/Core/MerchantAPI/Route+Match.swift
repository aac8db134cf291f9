import PaymentModels

extension Route {
  /// Finds the route of a request.
  public static func match(method: String, path: String) -> Match {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map(String.init)
    let all = PathTemplate.all.compactMap { template in
      template.place(in: parts).map { (id: template.id, place: $0) }
    }
    // A path of the API's own words is that path, whatever else its last word could be an id of.
    let exact = all.filter { $0.place == nil }
    let found = exact.isEmpty ? all : exact
    guard !found.isEmpty else { return .none }
    guard let (id, text) = found.first(where: { $0.id.method == method }) else {
      return .methodNotAllowed(found.map(\.id.method))
    }
    if let place = id.place, let text, !place.isWellFormed(text) { return .badIdentifier }
    return .route(id.route(text ?? ""))
  }
}

/// The path of a route, in parts.
private struct PathTemplate: Sendable {
  let id: RouteID
  let parts: [String]
  let place: (index: Int, kind: PathPlace)?

  static let all = RouteID.allCases.map(PathTemplate.init)

  init(_ id: RouteID) {
    self.id = id
    parts = id.pathTemplate.split(separator: "/").map(String.init)
    place = parts.firstIndex { $0.hasPrefix("{") }.flatMap { index in
      id.place.map { (index, $0) }
    }
  }

  /// What stands in the place of a path of this form, nil in it if there is no place; nil for a
  /// path of another form.
  func place(in path: [String]) -> String?? {
    guard path.count == parts.count else { return nil }
    for (index, part) in parts.enumerated() where index != place?.index && path[index] != part {
      return nil
    }
    guard let place else { return .some(nil) }
    return place.kind.leadsOn(path[place.index]) ? .some(path[place.index]) : nil
  }
}
