import ContextCore

/// Prints the completions of an unfinished command line, for the scripts of ``CompletionScript``.
///
/// It prints no errors, never prompts, and opens a store for at most a second.
struct CompleteCommand: Command {
    let declaration = CommandDeclaration(
        words: ["complete"], abstract: "Prints the completions of the last word, for completion scripts.",
        discussion: """
            It prints a line for each completion, with its help after a tab. After a line that begins with a
            colon, the script offers files or folders (:files, :folders), or appends no space (:nospace).
            """,
        operands: [
            .init(
                name: "WORDS", help: "The words after the program's name; the last one may be empty.",
                isOptional: true, isRepeated: true)
        ],
        examples: [.init(words: "complete -- query -s dev Pl", help: "The entities that begin with Pl.")],
        takesTenant: false, formats: [], exitCodes: [])

    func run(_ call: CommandCall) throws -> Report {
        let input = CompletionInput(call.arguments.operands, tree: .all)
        let sources = ToolSources(tool: call.tool, options: input.values)
        let text = Completion(tree: .all, sources: sources).answer(to: input).text
        return Report("complete", ["completions": .string(text)]) { _ in text }
    }
}
