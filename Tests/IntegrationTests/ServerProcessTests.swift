import HTTPExchange
import KitEnvironment
import SQLiteConnection
import StrictJSON
import SystemRuntime
import Testing
import TestSupport

@testable import Bootstrap

@Suite("till-server as a process")
struct ServerProcessTests {
  @Test func `a port that is taken is said in one line, with 69`() async throws {
    try await withTemporaryDirectory { directory in
      let served = try ServedShop(directory)
      try await served.serve { _, api in
        let port = String(api.url.split(separator: ":").last ?? "")
        let second = try await finish(
          program("till-server"), ["--config", served.shop.configurationFile],
          served.variables.merging([
            "TILL_LISTEN_PORT": port, "TILL_DATABASE": "\(directory)/other.sqlite",
          ]) { $1 })
        #expect(second.end == .exited(69))
        #expect(
          second.lines == [
            "error: cannot listen on 127.0.0.1, port \(port): the listen port is taken by another "
              + "program"
          ])
      }
    }
  }

  @Test(arguments: ["nowhere/till.sqlite", ".", "damaged.sqlite", "newer.sqlite"])
  func `a store that cannot be used is said in one line, with 74`(name: String) async throws {
    try await withTemporaryDirectory { directory in
      let served = try ServedShop(directory)
      let path = "\(directory)/\(name)"
      if name.hasPrefix("damaged") {
        try Files.replace(path, with: [UInt8](repeating: 0x61, count: 8_192))
      }
      if name.hasPrefix("newer") {
        try await blocking {
          let database = try SQLiteDatabase(path: path)
          try database.run("CREATE TABLE till_migrations (position INTEGER PRIMARY KEY, id TEXT)")
          try database.run("INSERT INTO till_migrations (id) VALUES ('9999-from-the-future')")
          database.close()
        }
      }
      let ran = try await finish(
        program("till-server"), ["--config", served.shop.configurationFile],
        served.variables.merging(["TILL_DATABASE": path]) { $1 })
      #expect(ran.end == .exited(74))
      #expect(ran.lines.count == 1)
      #expect(ran.lines.first?.hasPrefix("error: the store \(path) cannot be opened: ") == true)
    }
  }

  @Test func `a secret that is missing is said in one line, with 78`() async throws {
    try await withTemporaryDirectory { directory in
      let served = try ServedShop(directory)
      var variables = served.variables
      variables["TILL_OPERATOR_KEY"] = nil
      let ran = try await finish(
        program("till-server"), ["--config", served.shop.configurationFile], variables)
      #expect(ran.end == .exited(78))
      #expect(
        ran.lines == [
          "error: operator_keys[0].key: the environment variable TILL_OPERATOR_KEY is not set"
        ])
      #expect(!Files.exists(served.database))
    }
  }

  @Test(arguments: [ProcessSignal.interrupt, .terminate, .hangUp])
  func `a signal ends it in good order`(signal: ProcessSignal) async throws {
    try await withTemporaryDirectory { directory in
      try await ServedShop(directory).serve { process, api in
        let health = try await api.get("/healthz")
        #expect(health.status == 200)
        process.send(signal)
        let end = await process.wait()
        #expect(end == .exited(0))
        await #expect(throws: HTTPTransportError.self) { try await api.get("/healthz") }
      }
    }
  }

  @Test func `a full disk answers 503, reads go on, and nothing acknowledged is lost`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let served = try ServedShop(directory)
      // The tables first: the limit is for what comes after. 512-byte blocks, 600 KiB.
      try await served.serve { _, _ in }
      var acknowledged = 0
      try await served.serve(limit: "-S -f 1200") { process, api in
        var status = 200
        while status == 200, acknowledged < 2_000 {
          status = try await api.deliver(acknowledged)
          if status == 200 { acknowledged += 1 }
        }
        #expect(status == 503)
        // A smaller write may still find room, so what /readyz says is up to the last page.
        let list = try await api.get("/v1/payments")
        #expect(list.status == 200)
        // With room again it goes on by itself.
        let freed = try await finish(
          "/usr/bin/prlimit", ["--pid", String(process.identifier), "--fsize=unlimited"])
        #expect(freed.end == .exited(0))
        let later = try await api.deliver(acknowledged)
        #expect(later == 200)
        if later == 200 { acknowledged += 1 }
      }
      #expect((1..<2_000).contains(acknowledged))
      let stored = try await rows(served.database)
      #expect(stored == acknowledged)
    }
  }

  @Test func `a database that another program holds answers 503, then works`() async throws {
    try await withTemporaryDirectory { directory in
      let served = try ServedShop(directory)
      try await served.serve { _, api in
        let (isHeld, held) = AsyncStream.makeStream(of: Void.self)
        let release = WakeSignal()
        async let holder: Void = blocking {
          defer { held.finish() }
          let database = try SQLiteDatabase(path: served.database)
          try database.beginWrite()
          held.finish()
          release.wait()
          database.rollback()
          database.close()
        }
        for await _ in isHeld {}
        let locked = try await api.deliver(1)
        let read = try await api.get("/v1/payments")
        release.raise()
        try await holder
        let free = try await api.deliver(1)
        #expect([locked, read.status, free] == [503, 200, 200])
      }
    }
  }

  private func rows(_ path: String) async throws -> Int {
    try await blocking {
      let database = try SQLiteDatabase(path: path)
      defer { database.close() }
      let count = try database.first("SELECT count(*) FROM webhooks") { row throws(SQLiteError) in
        try row.integer()
      }
      return Int(count ?? 0)
    }
  }
}
