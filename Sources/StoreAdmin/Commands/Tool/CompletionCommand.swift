import ContextCore

/// Prints a completion script for a shell.
struct CompletionCommand: Command {
    static let shells = ["bash", "zsh", "fish"]

    let declaration = CommandDeclaration(
        words: ["completion"], abstract: "Prints a completion script for a shell.",
        discussion: """
            The script completes commands, options and their values, and the names of stores, tenants, entities, properties and
            versions. For the names in a store it opens the store for at most a second, unless a command prints its password.
            """,
        operands: [.init(name: "SHELL", help: "bash, zsh or fish.")],
        examples: [
            .init(
                words: "completion bash > /etc/bash_completion.d/storectl", help: "For bash, for all users."),
            .init(
                words: "completion zsh > ~/.zfunc/_storectl", help: "For zsh, if ~/.zfunc is in $fpath."),
            .init(words: "completion fish > ~/.config/fish/completions/storectl.fish", help: "For fish."),
        ], takesTenant: false, formats: [], exitCodes: [])

    func run(_ call: CommandCall) throws -> Report {
        let shell = call.arguments.operands[0]
        let script = CompletionScript(name: call.tool.name)
        let text: String
        switch shell {
        case "bash": text = script.bash
        case "zsh": text = script.zsh
        case "fish": text = script.fish
        default:
            let near = Spelling.nearest(to: shell, among: Self.shells).map { "Did you mean \($0)?" }
            throw AdminError.usage(
                "there are no completions for “\(shell)”.",
                hint: near ?? "The supported shells are bash, zsh and fish.")
        }
        return Report("completion", ["script": .string(text)]) { _ in text }
    }
}
