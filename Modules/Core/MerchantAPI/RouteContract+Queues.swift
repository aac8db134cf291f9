extension RouteID {
  /// Of the inbox and the outbox.
  var inboxContract: RouteContract? {
    switch self {
    case .webhooks:
      RouteContract(
        summary: "Received webhook deliveries, the newest first.", access: .staff,
        parameters: [
          .state(APISchemas.webhookStates),
          RouteContract.Parameter(
            name: "provider", note: "Those of this provider alone.", schema: .text()),
          .beforeID, .limit,
        ], answers: [.json("WebhookList", "A page of them.")])
    case .webhook:
      RouteContract(
        summary: "One delivery with its journal.", access: .staff,
        parameters: [
          RouteContract.Parameter(
            name: "body", note: "1: with its bytes, which may name the buyer.",
            schema: .words(["1"]))
        ], answers: [.json("WebhookDetail", "The delivery.")])
    case .requeueWebhook:
      RouteContract(
        summary: "Put a delivery that waits for a person back into the queue.", access: .staff,
        body: .json("ReasonBody"), answers: [.json("Webhook", "The delivery as it stands now.")],
        problems: [.conflict])
    case .replayWebhook:
      RouteContract(
        summary: "Take a delivery once more, now.", access: .staff, body: .json("ReasonBody"),
        answers: [.json("WebhookReplay", "What it changed.")], problems: [.conflict])
    case .replaySaved:
      RouteContract(
        summary: "Take a delivery that was saved elsewhere, byte for byte.", access: .staff,
        body: .json("ReplayBody"), answers: [.json("WebhookReplay", "What it changed.")],
        problems: [.notFound, .conflict])
    case .messages:
      RouteContract(
        summary: "Messages to the shop's own systems, the newest first.", access: .staff,
        parameters: [.state(APISchemas.messageStates), .beforeID, .limit],
        answers: [.json("MessageList", "A page of them.")])
    case .message:
      RouteContract(
        summary: "One message with all of its order.", access: .staff,
        answers: [.json("MessageDetail", "The message.")])
    case .redeliver:
      RouteContract(
        summary: "Send a message again.", access: .staff, body: .json("ReasonBody"),
        answers: [.json("Message", "The message, due now.")], problems: [.conflict])
    default: nil
    }
  }
}
