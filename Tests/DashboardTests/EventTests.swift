import HTTPExchange
import KitEnvironment
import MerchantServer
import PaymentModels
import PaymentStore
import TestSupport
import Testing

@testable import Dashboard

@Suite("Live pages")
struct EventTests {
  private func lines(_ response: HTTPResponse) -> [String: String] {
    let text = String(decoding: response.body, as: UTF8.self)
    let pairs = text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1) }
    return Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), String($0[1])) })
  }

  /// The address that a page listens at.
  private func events(_ page: String) -> String {
    let start = page.firstRange(of: "data-events=\"")?.upperBound ?? page.endIndex
    return String(page[start...].prefix { $0 != "\"" }).replacing("&amp;", with: "&")
  }

  @Test func `a change answers at once, and the browser goes on from there`() async throws {
    try await ServerWorld.run { world in
      _ = try await world.placed()
      let desk = try await Desk.signedIn(world)
      let target = events(try await desk.get("/dashboard/payments"))
      #expect(target.hasPrefix("/dashboard/events?after="))
      async let answer = desk.send("GET", target)
      try await world.untilStill("the page waits") { await world.waiters.watcherCount == 1 }
      _ = try await world.placed(key: "k2")
      let change = try await answer
      #expect(change.status == 200)
      #expect(change.headers["Content-Type"] == "text/event-stream")
      #expect(lines(change)["event:"] == "change" && lines(change)["retry:"] == "500")
      let place = try #require(lines(change)["id:"])
      // What was missed between two answers is not missed.
      _ = try await world.placed(key: "k3")
      let next = try await desk.send("GET", target, headers: ["Last-Event-ID": place])
      #expect(lines(next)["event:"] == "change")
      #expect(await world.waiters.watcherCount == 0)
    }
  }

  @Test func `a page of all orders also asks by itself, one of an order need not`() async throws {
    try await ServerWorld.run { world in
      let row = try await world.placed()
      let desk = try await Desk.signedIn(world)
      for path in ["", "/payments", "/reviews", "/inbox", "/outbox", "/payments/\(row.id)"] {
        let page = try await desk.get("/dashboard\(path)")
        #expect(page.contains("data-poll=\"5000\"") == !path.contains(row.id.rawValue), "\(path)")
        #expect(page.contains("data-events="))
      }
    }
  }

  @Test func `without a change it is told to ask again`() async throws {
    try await ServerWorld.run { world in
      _ = try await world.placed()
      await world.pause(.seconds(1))
      let desk = try await Desk.signedIn(world)
      let order = Sample.orderID(9)
      let place = await world.waiters.position
      let before = world.clock.clock.uptime()
      let answer = try await desk.send(
        "GET", "/dashboard/events?after=\(place)&order=\(order)")
      #expect(lines(answer)["event:"] == "rest")
      let waited = world.clock.clock.uptime() - before
      #expect(waited >= Dashboard.eventWait)
    }
  }

  @Test func `a page that is about one order is told of it alone`() async throws {
    try await ServerWorld.run { world in
      let mine = try await world.placed()
      await world.pause(.seconds(1))
      let place = await world.waiters.position
      _ = try await world.placed(key: "other")
      let clock = world.clock.clock
      let isOther = try await world.moving {
        await world.waiters.isChanged(
          after: place, of: mine.orderID, within: .milliseconds(1), clock)
      }
      let isAny = try await world.moving {
        await world.waiters.isChanged(after: place, of: nil, within: .milliseconds(1), clock)
      }
      #expect(!isOther && isAny)
    }
  }

  @Test func `a place of a process before counts as one that missed something`() async throws {
    try await ServerWorld.run { world in
      let desk = try await Desk.signedIn(world)
      let answer = try await desk.send(
        "GET", "/dashboard/events?after=0", headers: ["Last-Event-ID": "99999"])
      #expect(lines(answer)["event:"] == "change")
    }
  }

  @Test(arguments: ["-1", "-9223372036854775808", "9223372036854775807"])
  func `a place that no page was given harms nothing`(place: String) async throws {
    try await ServerWorld.run { world in
      let desk = try await Desk.signedIn(world)
      let answer = try await desk.send(
        "GET", "/dashboard/events?after=\(place)&order=\(Sample.orderID(1))")
      #expect(lines(answer)["event:"] == "change")
    }
  }

  @Test func `a page that finds no room to wait asks again later, not at once`() async throws {
    try await ServerWorld.run { world in
      let desk = try await Desk.signedIn(world)
      let (waiters, clock) = (world.waiters, world.clock.clock)
      let place = await waiters.position
      let answer = await withTaskGroup(of: Void.self) { group in
        for _ in 0..<WaiterTable.watchersMax {
          group.addTask {
            _ = await waiters.isChanged(after: place, of: nil, within: .seconds(600), clock)
          }
        }
        while await waiters.watcherCount < WaiterTable.watchersMax { await Task.yield() }
        let answer = await desk.dashboard.respond(
          to: HTTPRequest(
            method: "GET", target: "/dashboard/events?after=\(place)",
            headers: ["Host": "localhost", "Cookie": desk.cookie ?? ""]))
        await waiters.close()
        return answer
      }
      #expect(lines(answer)["event:"] == "rest" && lines(answer)["retry:"] == "10000")
    }
  }

  @Test func `a server that ends answers all that wait`() async throws {
    try await ServerWorld.run { world in
      let desk = try await Desk.signedIn(world)
      let place = await world.waiters.position
      async let answer = desk.dashboard.respond(
        to: HTTPRequest(
          method: "GET", target: "/dashboard/events?after=\(place)",
          headers: ["Host": "localhost", "Cookie": desk.cookie ?? ""]))
      try await world.untilStill("the page waits") { await world.waiters.watcherCount == 1 }
      await world.waiters.close()
      #expect(lines(await answer)["event:"] == "rest")
    }
  }

  @Test func `beyond the limit of pages that wait the answer is at once`() async throws {
    let waiters = WaiterTable(waitersMax: 1)
    let clock = ManualClock()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<WaiterTable.watchersMax {
        group.addTask {
          _ = await waiters.isChanged(after: 0, of: nil, within: .seconds(60), clock.clock)
        }
      }
      while await waiters.watcherCount < WaiterTable.watchersMax { await Task.yield() }
      #expect(await !waiters.isChanged(after: 0, of: nil, within: .seconds(60), clock.clock))
      await waiters.close()
    }
    #expect(await waiters.watcherCount == 0)
  }
}
