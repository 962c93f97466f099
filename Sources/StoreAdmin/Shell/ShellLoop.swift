/// Reads lines, joins them to inputs, and runs these until the shell ends.
struct ShellLoop {
    let session: ShellSession
    let reader: any ShellReader
    /// The history of a user at a terminal; nil if there is no user.
    let history: ShellHistory?
    let output: Output

    func run() {
        for input in history?.inputs ?? [] { reader.recall(input) }
        history?.whenAdded = reader.recall
        var pending = PendingInput()
        while true {
            let prompt = session.prompt.text(pending.continuation, output.messageStyle)
            let line = reader.next(prompt: prompt) { [pending] text in
                session.completion.result(for: pending.text(before: text)).action
            }
            switch line {
            case .interrupted: pending = PendingInput()
            case .text(let text):
                if let input = pending.append(text), !session.perform(input) { return }
            case .end:
                // The prompt of the user's own shell begins on a new line.
                if history != nil { output.message("\n") }
                if let input = pending.remove() { _ = session.perform(input) }
                return
            }
        }
    }
}
