import ContextCore

/// Prints a completion script for a shell.
struct CompletionCommand: Command {
    let declaration = CommandDeclaration(
        words: ["completion"], abstract: "Prints a completion script for commands and options.",
        operands: [.init(name: "SHELL", help: "bash, zsh or fish.")],
        examples: [
            .init(
                words: "completion bash > /etc/bash_completion.d/storectl", help: "For bash, for all users."),
            .init(
                words: "completion zsh > ~/.zfunc/_storectl", help: "For zsh, if ~/.zfunc is in $fpath."),
            .init(words: "completion fish > ~/.config/fish/completions/storectl.fish", help: "For fish."),
        ], takesTenant: false, formats: [], exitCodes: [])

    func run(_ call: CommandCall) throws -> Report {
        let shells = ["bash", "zsh", "fish"]
        let shell = call.arguments.operands[0]
        let script = CompletionScript(tree: .all, name: call.tool.name)
        let text: String
        switch shell {
        case "bash": text = script.bash
        case "zsh": text = script.zsh
        case "fish": text = script.fish
        default:
            let near = Spelling.nearest(to: shell, among: shells).map { "Did you mean \($0)?" }
            throw AdminError.usage(
                "there are no completions for “\(shell)”.",
                hint: near ?? "The supported shells are bash, zsh and fish.")
        }
        return Report("completion", ["script": .string(text)]) { _ in text }
    }
}
