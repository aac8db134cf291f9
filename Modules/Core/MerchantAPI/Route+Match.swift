import PaymentModels

extension Route {
  /// Finds the route of a request.
  public static func match(method: String, path: String) -> Match {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .dropFirst().map { String(Substring($0)) }
    let all = (PathTemplate.byLength[parts.count] ?? []).compactMap { template in
      template.place(in: parts).map { (template: template, place: $0) }
    }
    // A path of the API's own words is that path, whatever else its last word could be an id of.
    let exact = all.filter { $0.place == nil }
    let found = exact.isEmpty ? all : exact
    guard !found.isEmpty else { return .none }
    guard let (template, text) = found.first(where: { $0.template.method == method }) else {
      return .methodNotAllowed(found.map(\.template.method))
    }
    if let place = template.place?.kind, let text, !place.isWellFormed(text) {
      return .badIdentifier
    }
    return .route(template.id.route(text ?? ""))
  }
}

/// The path of a route, in parts.
private struct PathTemplate: Sendable {
  let id: RouteID
  let method: String
  let parts: [String]
  let place: (index: Int, kind: PathPlace)?

  /// All, by how many parts they have, in the order of the API.
  static let byLength = Dictionary(
    grouping: RouteID.allCases.map(PathTemplate.init), by: \.parts.count)

  init(_ id: RouteID) {
    self.id = id
    method = id.method
    parts = id.pathTemplate.split(separator: "/").map(String.init)
    place = parts.firstIndex { $0.hasPrefix("{") }.flatMap { index in
      id.place.map { (index, $0) }
    }
  }

  /// What stands in the place of a path of this form, nil in it if there is no place; nil for a
  /// path of another form.
  func place(in path: [String]) -> String?? {
    for (index, part) in parts.enumerated() where index != place?.index && path[index] != part {
      return nil
    }
    guard let place else { return .some(nil) }
    return place.kind.leadsOn(path[place.index]) ? .some(path[place.index]) : nil
  }
}
