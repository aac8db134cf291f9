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
  ///
  /// - Parameter times: how often `path` must have been asked for before.
  static func says(
    _ check: String, _ provider: String, order: String, state: String,
    after path: String = "", times: Int = 1, ifIt holds: String = "", also: [String] = []
  ) -> Mistake {
    Mistake(
      check: check, provider: provider,
      server: { next, _ in
        let missing = Locked(path.isEmpty ? 0 : times)
        return Between(next: next) { request, next in
          let response = await next.respond(to: request)
          if !path.isEmpty, request.path.contains(path) { missing.withLock { $0 -= 1 } }
          let text = String(decoding: response.body, as: UTF8.self)
          guard missing.withLock({ $0 <= 0 }), isRead(request),
            holds.isEmpty || text.contains(holds)
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

  /// The backend takes every webhook and forgets those that come before a create was answered. It
  /// asks for nothing by itself either, so no goods go out.
  static func forgetsEarlyWebhooks(_ check: String, _ provider: String) -> Mistake {
    let creating = Locked(0)
    let hasForgotten = Locked(false)
    return Mistake(
      check: check, provider: provider,
      server: { next, _ in
        Between(next: next) { request, next in
          if isCreate(request) {
            creating.withLock { $0 += 1 }
            let response = await next.respond(to: request)
            creating.withLock { $0 -= 1 }
            return response
          }
          guard request.path.hasPrefix("/webhooks/"), creating.withLock({ $0 > 0 }) else {
            return await next.respond(to: request)
          }
          hasForgotten.withLock { $0 = true }
          return HTTPResponse(status: 200)
        }
      },
      shop: { next in
        Between(next: next) { request, next in
          guard request.path == "/fulfilment", hasForgotten.withLock({ $0 }) else {
            return await next.respond(to: request)
          }
          return HTTPResponse(status: 204)
        }
      })
  }

  /// A create that goes wrong at the provider is made once more under another key.
  static func makesTwoPayments(_ check: String, _ provider: String) -> Mistake {
    Mistake(
      check: check, provider: provider,
      server: { next, _ in
        Between(next: next) { request, next in
          let response = await next.respond(to: request)
          guard isCreate(request) else { return response }
          return await next.respond(to: request.with("Idempotency-Key", "another-try"))
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

extension HTTPRequest {
  /// The same request with another value of a header.
  func with(_ name: String, _ value: String) -> HTTPRequest {
    var copy = self
    copy.headers = HTTPHeaders()
    for field in headers.fields where field.name.lowercased() != name.lowercased() {
      copy.headers.add(field.name, field.value)
    }
    copy.headers.add(name, value)
    return copy
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
