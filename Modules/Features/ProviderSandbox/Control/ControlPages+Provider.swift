import HTTPExchange
import StrictJSON
import WebPages

extension ControlPages {
  /// Faults of all payments of a provider, and its settings.
  func provider(
    _ name: String, done: String?, problem: ControlProblem? = nil, patch: JSONValue? = nil
  ) async -> HTTPResponse {
    guard let sheet = await providerSheet(name) else { return missing }
    let faults = patch?["faults"]
    let fields = faults.map { ControlForm.filled(sheet.faults, $0) } ?? sheet.faults
    let settings =
      patch.flatMap { faults == nil ? ControlForm.filled(sheet.settings, $0) : nil }
      ?? sheet.settings
    let shown = sheet.settings.filter { $0.kind == .shown }.map {
      (ControlForm.label($0.name), $0.value.text.map { "\($0)" as HTML })
    }
    return page(
      name, .provider(name), status: problem?.status ?? 200, isLive: problem == nil,
      """
      \(outcome(done, problem))
      <p class="crumb"><a href="\(QueryText.append("provider", name, to: ControlRoute.root))">\
      Its payments: \(sheet.payments)</a></p>
      <h1>\(name)</h1>
      <div class="cards ask">
      <section class="card" aria-labelledby="faults-title"><h2 id="faults-title">Faults of all \
      payments that have none of their own</h2>
      \(faultForm(.providerAction(name, .faults), fields, problem?.field))</section>
      <section class="card" aria-labelledby="settings-title"><h2 id="settings-title">Settings</h2>
      <p class="soft">What the provider’s document leaves open.</p>
      <form method="post" class="stack" \
      action="\(ControlRoute.providerAction(name, .settings).path)">
      \(ControlForm.inputs(settings, wrong: problem?.field))
      <div class="row"><button type="submit" class="primary">Change settings</button></div></form>
      \(if: !shown.isEmpty, PageWording.facts(shown))</section>
      </div>
      """)
  }
}
