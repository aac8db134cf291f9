import CommandLineParser
import PaymentModels

let explainCommand = explain([
  .flag("json", "Print the server's pages as they are, in JSON")
])

/// The same among the commands about payments, which have `--json` already.
let paymentExplainCommand = explain([])

private func explain(_ options: [Parameter]) -> Command<TillAction> {
  Command(
    "explain", "Tells what happened to a payment, in sentences",
    discussion: """
      Every signal from device and server in its order: who said it, how far it was trusted (a \
      hint may cause a read, a notification causes one soon, a proof may change money state), \
      what it changed, and why the rest was ignored.
      """,
    options: options + [
      .flag("html", "Print one page for a browser, which loads nothing else")
    ],
    positionals: [
      .positional(
        "id", "The payment's id, ours or the provider's",
        kind: .checked(expected: "an id: a UUID in lower case", { isCanonicalUUID($0) }))
    ],
    examples: [("till explain ID --html > payment.html", "to look at, or to send on")]
  ) { arguments throws(UsageError) in
    guard !arguments.has("json") || !arguments.has("html") else {
      throw UsageError("--json and --html do not go together")
    }
    let format: ExplainFormat =
      arguments.has("html") ? .html : arguments.has("json") ? .json : .text
    return .ask(.explainPayment(arguments.required("id"), format), asJSON: format == .json)
  }
}
