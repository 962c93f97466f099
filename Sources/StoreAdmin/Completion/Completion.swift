import ContextCore

/// Finds the completions of the last word of a command line.
struct Completion {
    let tree: CommandTree
    let sources: any CompletionSources

    func answer(to input: CompletionInput) -> CompletionAnswer {
        switch input.subject {
        case .commandWord(let words): commandWords(after: words).beginning(with: input.text)
        case .optionName: optionNames(input).beginning(with: input.text)
        case .value(let kind): answer(kind, input.text, input).prefixed(by: input.prefix)
        }
    }

    private func commandWords(after words: [String]) -> CompletionAnswer {
        guard let group = words.first else {
            let first = Set(tree.commands.map { $0.declaration.words[0] } + ["help"]).sorted()
            return CompletionAnswer(candidates: first.map { .init(word: $0, help: tree.abstract(of: $0)) })
        }
        guard words.count == 1 else { return CompletionAnswer() }
        return CompletionAnswer(
            candidates: tree.commands(in: group).map {
                .init(word: $0.declaration.words[1], help: $0.declaration.abstract)
            })
    }

    /// Returns the options that are not given yet, except for those with values, which may be repeatable.
    private func optionNames(_ input: CompletionInput) -> CompletionAnswer {
        let options = input.command?.allOptions ?? OptionDeclaration.common
        return CompletionAnswer(
            candidates: options.filter { $0.value != nil || !input.given.contains($0.name) }.map {
                .init(word: "--" + $0.name, help: $0.help)
            })
    }

    private func answer(_ kind: WordKind, _ text: String, _ input: CompletionInput) -> CompletionAnswer {
        switch kind {
        case .text: CompletionAnswer()
        case .word(let words): names(words).beginning(with: text)
        case .file: CompletionAnswer(offersFiles: true)
        case .folder: CompletionAnswer(offersFolders: true)
        case .store: names(sources.storeNames()).beginning(with: text)
        case .tenant: names(sources.tenants()).beginning(with: text)
        case .version: names(sources.versions()).beginning(with: text)
        case .modelNumber: names(sources.modelNumbers().map(String.init)).beginning(with: text)
        case .backend: names(sources.backendNames).beginning(with: text)
        case .model: models.beginning(with: text)
        case .entity: names(entityNames).beginning(with: text)
        case .object: objects.beginning(with: text)
        case .modelPart: modelParts(text).beginning(with: text)
        case .property: paths(text, of: input.operands.first).beginning(with: text)
        case .relationship: relationships(of: input.operands.first).beginning(with: text)
        case .request: request(text).beginning(with: text)
        case .list(let kind): list(of: kind, text, input)
        case .either(let first, let second): either(first, second, text, input)
        }
    }

    private func names(_ names: [String]) -> CompletionAnswer {
        CompletionAnswer(candidates: names.map { .init(word: $0) })
    }

    private func either(
        _ first: WordKind, _ second: WordKind, _ text: String, _ input: CompletionInput
    ) -> CompletionAnswer {
        var both = answer(first, text, input)
        both.append(answer(second, text, input))
        return both
    }

    /// Returns the completions of the last of several words, with the words before it.
    private func list(of kind: WordKind, _ text: String, _ input: CompletionInput) -> CompletionAnswer {
        let start = text.lastIndex(of: ",").map(text.index(after:)) ?? text.startIndex
        var last = answer(kind, String(text[start...]), input).prefixed(by: String(text[..<start]))
        last.isUnfinished = true
        return last
    }

    /// The words that name a model instead of a file.
    private var models: CompletionAnswer {
        var answer = CompletionAnswer(candidates: [.init(word: "store", help: "The store's model.")])
        if sources.hasApplicationModel {
            answer.candidates.append(.init(word: "app", help: "The application's model."))
        }
        answer.offersFiles = true
        return answer
    }
}

// MARK: - Names of the model

extension Completion {
    private var entityNames: [String] { sources.model()?.layouts.map(\.name) ?? [] }

    private var objects: CompletionAnswer {
        var answer = names(entityNames.map { $0 + ":" })
        answer.isUnfinished = true
        return answer
    }

    private func modelParts(_ text: String) -> CompletionAnswer {
        let model = sources.model()
        var parts = model?.layouts.map(\.name) ?? []
        if let dot = text.firstIndex(of: "."), let entity = model?.layout(named: String(text[..<dot])) {
            parts = entity.properties.map { "\(entity.name).\($0.name)" }
        }
        var answer = names(parts)
        answer.isUnfinished = true
        return answer
    }

    /// Returns the properties that can end a path, or continue it through a to-one relationship.
    ///
    /// - Parameter request: The request whose first word is the entity.
    private func paths(_ text: String, of request: String?) -> CompletionAnswer {
        let entityName = (request ?? "").prefix { !$0.isWhitespace }
        guard let model = sources.model(), var entity = model.layout(named: String(entityName)) else {
            return CompletionAnswer()
        }
        let hops = text.split(separator: ".", omittingEmptySubsequences: false).dropLast()
        for hop in hops {
            guard let relationship = entity.property(named: String(hop))?.relationship,
                !relationship.description.isToMany
            else { return CompletionAnswer() }
            entity = model.layouts[relationship.destinationIndex]
        }
        let candidates = entity.properties.map { property -> CompletionAnswer.Candidate in
            switch property.kind {
            case .attribute(let attribute): .init(word: property.name, help: attribute.type.title)
            case .relationship(let relationship):
                .init(
                    word: property.name + (relationship.description.isToMany ? ".@count" : "."),
                    help: model.layouts[relationship.destinationIndex].name)
            }
        }
        return CompletionAnswer(candidates: candidates, isUnfinished: true).prefixed(
            by: hops.map { "\($0)." }.joined())
    }

    /// Returns the to-many relationships of the entity of an object.
    private func relationships(of object: String?) -> CompletionAnswer {
        guard let model = sources.model(), let reference = object.flatMap({ try? ObjectReference($0) }),
            let entity = model.layout(named: reference.entityName)
        else { return CompletionAnswer() }
        return CompletionAnswer(
            candidates: entity.properties.compactMap { property in
                property.relationship.flatMap { relationship in
                    relationship.description.isToMany
                        ? .init(
                            word: property.name, help: model.layouts[relationship.destinationIndex].name)
                        : nil
                }
            })
    }

    /// Returns the completions of the last word of a request, with the words before it.
    private func request(_ text: String) -> CompletionAnswer {
        guard let model = sources.model() else { return CompletionAnswer() }
        let result = RequestCompletion(model: model).result(for: text)
        let before = String(text.unicodeScalars.dropLast(result.typed.unicodeScalars.count))
        var answer = names(
            result.candidates.map { candidate in
                // A space must be typed, since the word may be quoted.
                candidate.text + candidate.suffix.trimmingSpaces
            })
        answer.isUnfinished = !before.isEmpty
        return answer.prefixed(by: before)
    }
}
