import ContextCore

/// Finds the candidates for the word before the cursor.
struct ShellCompletion {
    /// The typed part of a word, with the texts that can replace it.
    struct Result: Equatable, Sendable {
        let typed: String
        var candidates: [CompletionCandidate] = []

        /// What Tab does.
        var action: CompletionAction { CompletionAction(typed: typed, candidates: candidates) }
    }

    let model: ObjectModel
    /// Returns the names of the configuration's stores.
    var storeNames: () -> [String] = { [] }
    /// Returns the names of the tenants at the address of a store.
    var tenantNames: (_ store: String) -> [String] = { _ in [] }

    /// Returns the candidates for the end of a text, which is the whole input before the cursor.
    func result(for text: String) -> Result {
        let text = text.drop(while: \.isWhitespace)
        guard text.first == "\\" else { return RequestCompletion(model: model).result(for: String(text)) }
        let word = text.prefix { !$0.isWhitespace }
        let rest = text[word.endIndex...]
        if rest.isEmpty {
            let words = ShellWord.allCases.map { word in
                CompletionCandidate("\\\(word.rawValue)", suffix: word.operand == .none ? "" : " ")
            }
            return Result(typed: String(word), candidates: words)
        }
        guard let command = ShellWord(rawValue: String(word.dropFirst())) else { return Result(typed: "") }
        return result(for: String(rest.drop(while: \.isWhitespace)), command.operand)
    }

    private func result(for text: String, _ operand: ShellWord.Operand) -> Result {
        switch operand {
        case .none, .statement, .file: Result(typed: "")
        case .request: RequestCompletion(model: model).result(for: text)
        case .entity: single(text, model.layouts.map { CompletionCandidate($0.name) })
        case .object: single(text, model.layouts.map { CompletionCandidate("\($0.name):", suffix: "") })
        case .toggle: single(text, ["on", "off"].map { CompletionCandidate($0) })
        case .store: store(text)
        }
    }

    /// Returns the candidates for the only word of an operand.
    private func single(_ text: String, _ candidates: [CompletionCandidate]) -> Result {
        text.contains(where: \.isWhitespace)
            ? Result(typed: "") : Result(typed: text, candidates: candidates)
    }

    private func store(_ text: String) -> Result {
        let name = text.prefix { !$0.isWhitespace }
        let rest = text[name.endIndex...]
        if rest.isEmpty { return single(text, storeNames().map { CompletionCandidate($0) }) }
        let tenant = String(rest.drop(while: \.isWhitespace))
        return single(tenant, tenantNames(String(name)).map { CompletionCandidate($0) })
    }
}
