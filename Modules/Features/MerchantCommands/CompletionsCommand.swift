import CommandLineParser

let completionsCommand = Command<TillAction>(
  "completions", "Prints what lets a shell complete commands and options",
  positionals: [
    .positional(
      "shell", "Which shell", kind: .choice(CompletionShell.allCases.map(\.rawValue)))
  ],
  examples: [
    ("source <(till completions bash)", "for this shell, or in ~/.bashrc for all"),
    ("till completions fish >~/.config/fish/completions/till.fish", "for fish"),
  ]
) { .completions(CompletionShell(rawValue: $0.required("shell")) ?? .bash) }
