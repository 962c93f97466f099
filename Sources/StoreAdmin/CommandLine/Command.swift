/// Is one command of the tool.
protocol Command {
    /// The word that calls it.
    var name: String { get }
    /// What it does, in a line of the help text.
    var abstract: String { get }

    func run(_ words: [String]) -> CommandOutcome
}
