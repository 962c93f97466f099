import ContextCore

/// The completions at a position of a predicate or a sort order, for an input field of a program.
///
/// They are those of the shell, without the keywords of other clauses.
struct PredicateCompletion: Equatable, Sendable {
    /// The part of a request that the text is.
    enum Clause: String, Sendable, CaseIterable {
        case predicate = "where"
        case order
    }

    /// A text that can replace the word before the position.
    struct Candidate: Equatable, Sendable {
        let text: String
        /// What the text names, such as the type of an attribute; empty for a keyword.
        let help: String
        /// What follows the text in a request: a space, or nothing if the word can continue, as a path can.
        let suffix: String
    }

    /// The start of the word that a candidate replaces, in UTF-16 code units; it ends at the position.
    let start: Int
    let candidates: [Candidate]

    /// Finds the completions.
    ///
    /// - Parameters:
    ///   - request: An entity, or a request that begins with one; without candidates if there is no such entity.
    ///   - position: The position of the cursor in UTF-16 code units, as browsers count; a position outside of the text is moved to its
    ///     nearest end.
    init(
        request: String, text: String, position: Int, clause: Clause = .predicate, model: ObjectModel
    ) {
        let units = text.utf16
        var end = units.index(units.startIndex, offsetBy: min(max(0, position), units.count))
        // Between the two units of a character outside of the Basic Multilingual Plane.
        while end.samePosition(in: text.unicodeScalars) == nil { end = units.index(before: end) }
        let offset = units.distance(from: units.startIndex, to: end)
        guard let entity = model.layout(named: RequestPieces.entityName(in: request)) else {
            (start, candidates) = (offset, [])
            return
        }
        let result = RequestCompletion(model: model).result(
            for: String(text.unicodeScalars[..<end]), in: clause == .order ? .order : .predicate, of: entity)
        start = offset - result.typed.utf16.count
        candidates = result.candidates.filter { $0.continues(result.typed) }.map {
            Candidate(text: $0.text(for: result.typed), help: $0.help, suffix: $0.suffix)
        }
    }

    /// The members of a JSON document.
    var json: [String: JSONValue] {
        let candidates = candidates.map { candidate in
            JSONValue.object([
                "text": .string(candidate.text), "help": .string(candidate.help),
                "suffix": .string(candidate.suffix),
            ])
        }
        return ["start": .int(start), "candidates": .array(candidates)]
    }
}
