extension Command {
  /// Reads a command line, without the program's name.
  ///
  /// `--help` or `-h` anywhere, and `help` in place of a command, ask for the help text of the
  /// command that the other words name. All behind `--` are values, whatever they begin with.
  public func parse(_ arguments: [String]) -> CommandOutcome<Action> {
    var reading = CommandReading(root: self)
    do {
      try reading.read(arguments)
      if reading.wantsHelp {
        return .help(reading.command.helpText(path: reading.path, options: reading.options))
      }
      return .run(try reading.finish())
    } catch {
      var error = error
      error.usage = reading.command.usageLine(path: reading.path, options: reading.options)
      return .refused(error)
    }
  }
}

/// The state of reading one command line.
private struct CommandReading<Action> {
  private(set) var command: Command<Action>
  /// The names of the commands above ``command``.
  private(set) var path: [String] = []
  private(set) var wantsHelp = false
  /// The options of ``command`` and, behind them, those of the groups above.
  private(set) var options: [Parameter]
  /// Values of options as written, in their order.
  private var optionValues: [(option: Parameter, value: String)] = []
  private var positionalValues: [String] = []

  init(root: Command<Action>) {
    command = root
    options = root.options
  }

  private var name: String { (path + [command.name]).joined(separator: " ") }

  mutating func read(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    var isLiteral = false
    while let word = rest.popFirst() {
      if isLiteral {
        try readPlain(word)
      } else if word == "--" {
        isLiteral = true
      } else if word == "--help" || word == "-h" {
        wantsHelp = true
      } else if word.hasPrefix("--") {
        try readOption(word, &rest)
      } else if word.hasPrefix("-"), word.utf8.count > 1 {
        throw UsageError(
          "unknown option \(quoted(word))",
          hint: "options have long names; write -- before a value that begins with -")
      } else {
        try readPlain(word)
      }
    }
  }

  /// A command's name or a positional value.
  private mutating func readPlain(_ word: String) throws(UsageError) {
    if command.commands.isEmpty {
      positionalValues.append(word)
    } else if let next = command.commands.first(where: { $0.name == word }) {
      path.append(command.name)
      command = next
      options = next.options + options
    } else if word == "help" {
      wantsHelp = true
    } else {
      let nearest = nearestName(to: word, among: command.commands.map(\.name))
      throw UsageError(
        "\(name) has no command \(quoted(word))",
        hint: nearest.map { "did you mean \($0)?" } ?? "\(name) --help lists the commands")
    }
  }

  private mutating func readOption(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let halves = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let written = String(halves[0])
    guard let option = options.first(where: { $0.name == written }) else {
      let nearest = nearestName(to: written, among: options.map(\.name))
      throw UsageError(
        "unknown option \(quoted("--" + written))",
        hint: nearest.map { "did you mean --\($0)?" } ?? "\(name) --help lists the options")
    }
    if halves.count == 2 {
      guard !option.isFlag else { throw UsageError("--\(option.name) takes no value") }
      optionValues.append((option, String(halves[1])))
    } else if option.isFlag {
      optionValues.append((option, ""))
    } else if let value = rest.first, !value.hasPrefix("--") {
      rest.removeFirst()
      optionValues.append((option, value))
    } else {
      throw UsageError(
        "--\(option.name) needs a value",
        hint: "write --\(option.name)=\(option.placeholder)")
    }
  }

  /// Checks all values and makes the action.
  func finish() throws(UsageError) -> Action {
    guard let make = command.make else {
      throw UsageError("\(name) needs a command", hint: "\(name) --help lists the commands")
    }
    var arguments = Arguments(parameters: options + command.positionals)
    for (option, value) in optionValues {
      try arguments.add(value, to: option, written: "--\(option.name)")
    }
    var rest = positionalValues[...]
    for positional in command.positionals {
      let values = positional.count == .repeated ? rest : rest.prefix(1)
      rest = rest.dropFirst(values.count)
      for value in values {
        try arguments.add(value, to: positional, written: positional.placeholder)
      }
    }
    if let extra = rest.first {
      throw UsageError(
        "unexpected argument \(quoted(extra))", hint: "put a value with spaces in quotes")
    }
    for parameter in options + command.positionals
    where parameter.count == .required && arguments.given(parameter.name).isEmpty {
      throw UsageError("missing \(parameter.written)")
    }
    return try make(arguments)
  }
}
