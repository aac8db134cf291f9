public import CheckoutLifecycle
public import CheckoutSession
public import KitEnvironment
import StrictJSON

/// The app without a screen: a `CheckoutSession` whose pages, events and displays are lines of
/// text, so that a script can be the payer, the browser and the system that kills it.
///
/// Whatever happens is printed as one JSON object a line: `started`, `resumed`, `stored`,
/// `created`, `open`, `close`, `read`, `signal`, `show`, `link`, `reached`, each failure as
/// `…_failed`, and `exit` at the end. All state is in the device store, so the process may be
/// killed at any moment.
public struct AppProcess: Sendable {
  private let store: any DeviceStore
  private let backend: any MerchantBackend
  let pages: EmbeddedPages
  private let authSessions = AuthSessions()
  private let environment: KitEnvironment
  private let policy: CheckoutPolicy
  private let stays: Bool
  let report: AppReport

  /// Builds a process; nothing happens yet.
  ///
  /// - Parameters:
  ///   - stays: whether it goes on after the outcome, until it is told to quit or its input ends.
  ///   - checkoutOrigin: the checkout that the app trusts with its web view, where a provider's
  ///     page may load nothing else; nil trusts none.
  ///   - reached: called at each ``CrashPoint``, after its line is out; it may never return, so
  ///     that a script can kill the process exactly there.
  ///   - print: takes each line, without its line break, and hands it on before it returns.
  public init(
    store: any DeviceStore, backend: any MerchantBackend, environment: KitEnvironment,
    policy: CheckoutPolicy = CheckoutPolicy(), stays: Bool = false,
    checkoutOrigin: CheckoutOrigin? = nil,
    reached: @escaping @Sendable (CrashPoint) async -> Void = { _ in },
    print: @escaping @Sendable (String) -> Void
  ) {
    let report = AppReport(write: print)
    let stop: @Sendable (CrashPoint) async -> Void = { point in
      report.line("reached", [JSONMember(name: "point", value: .string(point.rawValue))])
      await reached(point)
    }
    self.store = ReportingStore(inner: store, report: report, reached: stop)
    self.backend = ReportingBackend(inner: backend, report: report, reached: stop)
    self.environment = environment
    self.policy = policy
    self.stays = stays
    self.report = report
    pages = EmbeddedPages(origin: checkoutOrigin)
  }

  /// Runs the errand.
  ///
  /// - Parameter lines: what the payer, the page and the system do, one of: `link URL`,
  ///   `callback URL`, `navigate URL`, `page PAYMENT STATE true|false URL`, `close`, `background`,
  ///   `foreground`, `rotate`, `tap`, `quit`. Its end is not the end of the app.
  /// - Returns: the exit code, once every checkout of the errand has its outcome, after `quit`,
  ///   or when the task is cancelled.
  public func run(_ errand: AppErrand, lines: AsyncStream<String>) async -> AppExit {
    let session = CheckoutSession(
      store: store, backend: backend, environment: environment, page: page, policy: policy)
    let verdict = AppVerdict(stays: stays)
    let exit = await withTaskGroup(of: AppExit?.self) { group in
      group.addTask {
        await session.run()
        return nil
      }
      group.addTask { await show(session, verdict) }
      group.addTask { await begin(errand, session, verdict) }
      group.addTask { await obey(lines, session, verdict) }
      var exit: AppExit?
      while exit == nil, let next = await group.next() { exit = next }
      group.cancelAll()
      return exit ?? .unresolved
    }
    report.line("exit", [JSONMember(name: "code", value: .integer(exit.rawValue))])
    return exit
  }

  private var page: CheckoutPage {
    CheckoutPage(
      open: { key, url, strategy in
        if let record = try await store.load(key) {
          do {
            try await pages.open(record, url: url)
          } catch {
            report.failed("open_failed", key, "the page is not at a trusted --checkout-origin")
            throw error
          }
        }
        await authSessions.open(key, strategy)
        report.line(
          "open", key,
          [
            JSONMember(name: "url", value: .string(url)),
            JSONMember(name: "strategy", value: .string(strategy.rawValue)),
          ])
      },
      close: { key in
        for turn in await pages.close(key) { tell(turn) }
        await authSessions.close(key)
        report.line("close", key)
      },
      // Every app that an address may name is installed here; `navigated` tells of it.
      openOutside: { _, _ in true })
  }

  private func begin(
    _ errand: AppErrand, _ session: CheckoutSession, _ verdict: AppVerdict
  ) async -> AppExit? {
    do {
      switch errand {
      case .buy(let request, let strategy):
        let key = try await session.start(request, strategy: strategy)
        report.line("started", key)
        return await verdict.expect([key])
      case .resume:
        let keys = try await session.resume()
        report.line("resumed", [JSONMember(name: "open", value: .integer(keys.count))])
        return await verdict.expect(keys)
      case .launch(let link):
        // Asked before the link is taken: what it leads to may be over when the rest is resumed.
        let keys = try await store.all().filter { $0.stage != .settled }.map(\.key)
        await follow(link, session)
        try await session.resume()
        report.line("resumed", [JSONMember(name: "open", value: .integer(keys.count))])
        return await verdict.expect(keys)
      }
    } catch let refusal as CheckoutRefusal {
      report.line("start_failed", [JSONMember(name: "reason", value: .string(refusal.text))])
      return .notPaid
    } catch {
      report.line(
        "start_failed", [JSONMember(name: "reason", value: .string("device store unavailable"))])
      return .storeUnavailable
    }
  }

  private func show(_ session: CheckoutSession, _ verdict: AppVerdict) async -> AppExit? {
    for await update in session.updates {
      report.show(update)
      if let exit = await verdict.note(update) { return exit }
    }
    return nil
  }

  private func obey(
    _ lines: AsyncStream<String>, _ session: CheckoutSession, _ verdict: AppVerdict
  ) async -> AppExit? {
    for await text in lines {
      switch AppLine(text) {
      case .quit: return .done
      case .link(let url): await follow(url, session)
      case .callback(let url): await endSessions(at: url, session)
      case .background: await session.send(.backgrounded)
      case .foreground: await session.send(.foregrounded)
      case .rotate: await session.send(.viewRecreated)
      case .navigate(let url): await navigate(to: url, session)
      case .page(let message, let url): await hear(message, from: url, session)
      case .close:
        for turn in await pages.close() { tell(turn) }
        await endSessions(at: nil, session)
        await send(.closed, to: session) { $0.pageMayBeUp }
      case .tap: await tap(session)
      case nil:
        // Anything but the word of a line may be what a payer typed into the page.
        let word = AppLine.words.first { $0 == text.prefix { $0 != " " } }
        report.line("line_failed", [JSONMember(name: "line", value: .optional(word))])
      }
    }
    return Task.isCancelled ? nil : await verdict.endInput()
  }

  func follow(_ url: String, _ session: CheckoutSession) async {
    do {
      let isOurs = try await session.open(link: url)
      report.line("link", [JSONMember(name: "matched", value: .bool(isOurs))])
    } catch {
      report.line("link_failed", [JSONMember(name: "reason", value: .string("store unavailable"))])
    }
  }

  /// The payer ends the browser sessions of the system, or the page does at `callback`.
  private func endSessions(at callback: String?, _ session: CheckoutSession) async {
    for key in await authSessions.end() {
      report.line(
        "session_ended", key, [JSONMember(name: "called_back", value: .bool(callback != nil))])
      await session.endPage(of: key, at: callback)
    }
  }

  /// The payer taps pay again for what is open: the app asks for the same once more.
  private func tap(_ session: CheckoutSession) async {
    for key in await session.openKeys {
      guard let record = await session.state(of: key)?.record else { continue }
      do {
        let again = try await session.start(record.request, strategy: record.strategy)
        report.line("tapped", again)
      } catch {
        let reason = (error as? CheckoutRefusal)?.text ?? "device store unavailable"
        report.failed("tap_failed", key, reason)
      }
    }
  }

  private func send(
    _ event: CheckoutEvent, to session: CheckoutSession,
    where isMeant: (CheckoutState) -> Bool
  ) async {
    for key in await session.openKeys {
      if let state = await session.state(of: key), isMeant(state) {
        await session.send(event, to: key)
      }
    }
  }
}

extension CheckoutRefusal {
  fileprivate var text: String {
    switch self {
    case .unsupportedPresentation:
      "the kit does not show this provider's page by this strategy; without --strategy it takes "
        + "the recommended one"
    case .refusedPresentation(let reason): "the provider rules this strategy out: \(reason)"
    case .tooManyOpen: "too many checkouts are open"
    }
  }
}
