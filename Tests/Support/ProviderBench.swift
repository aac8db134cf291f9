public import HTTPExchange
public import PaymentModels
public import ProviderInterface
public import StrictJSON

/// One provider's client with the other parties that its contract needs, in a world of its own.
public struct ProviderBench: Sendable {
  /// The client under test.
  public let provider: any PaymentProvider
  /// Begins each key that the contract makes up.
  public let run: String
  /// How many requests the client has sent.
  public let sentCount: @Sendable () -> Int
  /// Terms that the provider takes, for order `number`.
  public let terms: @Sendable (_ number: Int) throws -> CheckoutTerms
  /// An id in the provider's form that is no payment.
  public let stranger: ProviderPaymentID
  /// Where things stand in the provider's answers.
  public let words: AnswerWords
  /// Spoils answers; nil where a real server answers.
  public let spoiler: AnswerSpoiler?
  /// Goes to the page; nil where only a person can.
  public let payer: Payer?
  /// The next webhook that arrives; nil where none can.
  public let nextDelivery: (@Sendable () async throws -> HTTPRequest)?

  /// Collects the parties.
  public init(
    provider: any PaymentProvider, run: String = "contract",
    sentCount: @escaping @Sendable () -> Int,
    terms: @escaping @Sendable (Int) throws -> CheckoutTerms, stranger: ProviderPaymentID,
    words: AnswerWords, spoiler: AnswerSpoiler?, payer: Payer?,
    nextDelivery: (@Sendable () async throws -> HTTPRequest)?
  ) {
    self.provider = provider
    self.run = run
    self.sentCount = sentCount
    self.terms = terms
    self.stranger = stranger
    self.words = words
    self.spoiler = spoiler
    self.payer = payer
    self.nextDelivery = nextDelivery
  }

  /// The key of order `number`.
  public func key(_ number: Int) -> String { "\(run)-\(number)" }

  /// Asks for a payment of order `number` under the key of that number.
  public func create(_ number: Int = 1) async throws -> CreatedPayment {
    try await provider.create(
      try provider.prepareCreate(try terms(number)), idempotencyKey: key(number))
  }

  /// What a read says while every answer is written anew.
  public func read(
    _ id: ProviderPaymentID, rewritten rewrite: @escaping @Sendable (JSONValue) -> JSONValue
  ) async throws -> PaymentReading {
    guard let spoiler else { throw FixtureError() }
    return try await spoiler.rewriting(rewrite) { try await provider.read(id) }
  }

  /// Asks for a payment and has it paid.
  public func paid(_ number: Int = 1) async throws -> PaymentReading {
    let created = try await create(number)
    guard let payer, let page = created.checkoutURL else { throw FixtureError() }
    try await payer.pay(page)
    return try await provider.read(created.reading.providerPaymentID)
  }
}

/// What a person does at the hosted page.
public struct Payer: Sendable {
  /// Pays.
  public let pay: @Sendable (_ page: String) async throws -> Void
  /// Tries to pay with something that is refused, and stays.
  public let declined: @Sendable (_ page: String) async throws -> Void

  /// Collects the ways.
  public init(
    pay: @escaping @Sendable (String) async throws -> Void,
    declined: @escaping @Sendable (String) async throws -> Void
  ) {
    self.pay = pay
    self.declined = declined
  }
}

/// Where things stand in a provider's answer to a read; paths as `JSONValue.find` takes them.
public struct AnswerWords: Sendable {
  /// The member for the state.
  public var status: String
  /// Whether that is a word, and not a truth value.
  public var hasStatusWord: Bool
  /// Members that an answer may lack.
  public var optional: [String]
  /// The page's address in the answer to a create.
  public var page: String

  /// Collects the places.
  public init(status: String, hasStatusWord: Bool = true, optional: [String], page: String) {
    self.status = status
    self.hasStatusWord = hasStatusWord
    self.optional = optional
    self.page = page
  }
}
