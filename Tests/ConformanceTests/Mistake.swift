import HTTPExchange
import StrictJSON
import SystemRuntime

/// A mistake of a backend: stands before the right server, or before what the right server sends
/// to the shop, and spoils it.
struct Mistake: Sendable {
  /// The check that must notice, and at which provider.
  let check: String
  let provider: String
  /// Stands before the server.
  var server: @Sendable (any HTTPHandler, Planted) -> any HTTPHandler = { next, _ in next }
  /// Stands before the suite: what the server tells the shop passes here.
  var shop: @Sendable (any HTTPHandler) -> any HTTPHandler = { $0 }
  /// What else has to run so that there is something to see.
  var also: [String] = []
}

/// What a backend has and should keep to itself, or ask for.
struct Planted: Sendable {
  let key: String
  let token: String
}

/// A handler that is a closure over the next one.
struct Between: HTTPHandler {
  let next: any HTTPHandler
  let answer: @Sendable (HTTPRequest, any HTTPHandler) async -> HTTPResponse

  func respond(to request: HTTPRequest) async -> HTTPResponse { await answer(request, next) }
}

extension Mistake {
  /// What the backend says of every payment, where the answer fits.
  static func says(
    _ check: String, _ provider: String, order: String, state: String,
    after path: String = "", ifIt holds: String = "", also: [String] = []
  ) -> Mistake {
    Mistake(
      check: check, provider: provider,
      server: { next, _ in
        let isTriggered = Locked(path.isEmpty)
        return Between(next: next) { request, next in
          let response = await next.respond(to: request)
          if !path.isEmpty, request.path.contains(path) { isTriggered.withLock { $0 = true } }
          let text = String(decoding: response.body, as: UTF8.self)
          guard isTriggered.withLock({ $0 }), isRead(request), holds.isEmpty || text.contains(holds)
          else { return response }
          return response.with(["order_state": .string(order), "state": .string(state)])
        }
      }, also: also)
  }

  /// What the backend answers to certain requests instead.
  static func answers(
    _ check: String, _ provider: String, _ path: String, _ status: Int, body: String = "{}"
  ) -> Mistake {
    Mistake(
      check: check, provider: provider,
      server: { next, _ in
        Between(next: next) { request, next in
          let response = await next.respond(to: request)
          guard request.path.contains(path) else { return response }
          return HTTPResponse(
            status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
        }
      })
  }

  /// Members of the answers to creates that are other than they should be.
  static func creates(
    _ check: String, _ provider: String,
    _ change: @escaping @Sendable (JSONValue) -> KeyValuePairs<String, JSONValue>
  ) -> Mistake {
    Mistake(
      check: check, provider: provider,
      server: { next, _ in
        Between(next: next) { request, next in
          let response = await next.respond(to: request)
          guard isCreate(request), let json = try? JSONValue(parsing: response.body) else {
            return response
          }
          return response.with(change(json))
        }
      })
  }

  /// What the backend makes of requests before it looks at them.
  static func reads(
    _ check: String, _ provider: String,
    _ change: @escaping @Sendable (HTTPRequest, Planted) -> HTTPRequest
  ) -> Mistake {
    Mistake(
      check: check, provider: provider,
      server: { next, planted in
        Between(next: next) { request, next in
          await next.respond(to: isCreate(request) ? change(request, planted) : request)
        }
      })
  }

  /// Every message to the shop comes so often, each as a new one.
  static func goods(_ check: String, _ provider: String, times: Int) -> Mistake {
    Mistake(
      check: check, provider: provider,
      shop: { next in
        Between(next: next) { request, next in
          guard request.path == "/fulfilment" else { return await next.respond(to: request) }
          for number in 0..<times {
            var copy = request
            copy.headers = ["webhook-id": "\(request.headers["webhook-id"] ?? "")-\(number)"]
            _ = await next.respond(to: copy)
          }
          return HTTPResponse(status: 204)
        }
      })
  }
}

func isRead(_ request: HTTPRequest) -> Bool {
  request.method == "GET" && request.path.hasPrefix("/v1/payments/")
}

func isCreate(_ request: HTTPRequest) -> Bool { request.path == "/v1/checkouts" }

extension HTTPResponse {
  /// The same answer with other members.
  func with(_ changes: KeyValuePairs<String, JSONValue>) -> HTTPResponse {
    guard let members = (try? JSONValue(parsing: body))?.members else { return self }
    var copy = self
    copy.body = JSONValue.object(
      members.map { member in
        JSONMember(
          name: member.name,
          value: changes.first { $0.key == member.name }?.value ?? member.value)
      }
    ).serialized()
    return copy
  }
}
