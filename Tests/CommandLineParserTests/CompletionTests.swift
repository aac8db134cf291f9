import CommandLineParser
import SystemRuntime
import Testing

@Suite("Completions")
struct CompletionTests {
  @Test(
    arguments: [
      ("till ", "payment create version --server --help"), ("till p", "payment"),
      ("till payment ", "show refund --json --server --help"), ("till payment r", "refund"),
      ("till payment show --", "--wait --json --server --help"),
      ("till payment show --w", "--wait"), ("till create --mode ", "test live"),
      ("till create --mode l", "live"), ("till payment show --wait ", ""),
      ("till payment show pay_A1 --j", "--json"), ("till payment refund show --r", "--reason"),
      ("till --server x payment s", "show"),
      ("till nothing ", "payment create version --server --help"),
    ])
  func `a real bash completes every word`(line: String, words: String) async throws {
    let typed = line.split(separator: " ", omittingEmptySubsequences: false)
    let quoted = typed.map { "'\($0)'" }.joined(separator: " ")
    let script =
      sample.completions(for: .bash)
        + """
        complete -p till >/dev/null || echo 'nothing is set'
        COMP_WORDS=(\(quoted)); COMP_CWORD=\(typed.count - 1)
        _till
        echo "<${COMPREPLY[*]}>"
        """
    let shell = try ChildProcess(
      "/bin/bash", arguments: ["--noprofile", "--norc", "-uc", script], errorOutput: .output)
    shell.closeInput()
    var lines: [String] = []
    for await line in shell.lines { lines.append(line) }
    #expect(lines == ["<\(words)>"])
    #expect(await shell.wait() == .exited(0))
  }

  @Test func `zsh is told each word with what it means`() {
    let script = sample.completions(for: .zsh)
    #expect(script.hasPrefix("#compdef till\n"))
    #expect(
      script.contains(
        """
          'till payment') entries=('show:Shows one payment' 'refund:Gives money back' \
        '--json:Print JSON'
        """))
    #expect(script.contains("  'till create --mode') compadd -- test live; return ;;\n"))
    #expect(script.contains("'--wait:How long to wait for an end'"))
  }

  @Test func `fish is told each word with what it means`() {
    let script = sample.completions(for: .fish)
    #expect(
      script.contains(
        """
        complete -c till -n "__till_at till payment" -a show -d 'Shows one payment'

        """))
    #expect(
      script.contains(
        """
        complete -c till -n "__till_at till create" -l mode -x -a 'test live' -d 'Which keys'

        """))
    #expect(
      script.contains(
        """
        complete -c till -n "__till_at till payment show" -l wait -x \
        -d 'How long to wait for an end'

        """))
  }

  @Test(arguments: [CompletionShell.zsh, .fish])
  func `the other shells read their script, where they are installed`(
    shell: CompletionShell
  ) async throws {
    let path = "/usr/bin/\(shell.rawValue)"
    guard
      let child = try? ChildProcess(
        path, arguments: ["-n", "-c", sample.completions(for: shell)], errorOutput: .output)
    else { return }
    child.closeInput()
    var lines: [String] = []
    for await line in child.lines { lines.append(line) }
    #expect(lines.isEmpty)
    #expect(await child.wait() == .exited(0))
  }
}
