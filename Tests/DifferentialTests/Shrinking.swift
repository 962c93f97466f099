import ContextCore

extension RandomRequest {
    /// Returns the smallest part of the request for which a condition still holds.
    func shrunk(while fails: (RandomRequest) -> Bool) -> RandomRequest {
        var smallest = self
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for candidate in smallest.parts where fails(candidate) {
                smallest = candidate
                isSmaller = true
                break
            }
        }
        return smallest
    }

    /// Requests with one part removed.
    private var parts: [RandomRequest] {
        var parts: [RandomRequest] = []
        func add(_ change: (inout RandomRequest) -> Void) {
            var part = self
            change(&part)
            parts.append(part)
        }
        if predicate != nil { add { $0.predicate = nil } }
        for inner in predicate?.parts ?? [] { add { $0.predicate = inner } }
        if limit != nil { add { $0.limit = nil } }
        if offset > 0 { add { $0.offset = 0 } }
        for index in order.indices { add { $0.order.remove(at: index) } }
        if case .upsert(let upsert) = kind, upsert.rows.count > 1 {
            for index in upsert.rows.indices {
                var fewer = upsert
                fewer.rows.remove(at: index)
                add { $0.kind = .upsert(fewer) }
            }
        }
        if case .values(let columns, let isDistinct) = kind, columns.count > 1 {
            for index in columns.indices {
                var fewer = columns
                fewer.remove(at: index)
                add { $0.kind = .values(fewer, isDistinct: isDistinct) }
            }
        }
        return parts
    }
}

extension FetchPredicate {
    /// Predicates with one part removed; variables keep their meaning.
    fileprivate var parts: [FetchPredicate] {
        switch self {
        case .and(let members): members + Self.shorter(members).map { .and($0) }
        case .or(let members): members + Self.shorter(members).map { .or($0) }
        case .not(let inner): [inner] + inner.parts.map { .not($0) }
        case .truth(let inner, let truth): [inner] + inner.parts.map { .truth($0, is: truth) }
        case .quantified(let quantifier, let path, let variable, let inner):
            inner.parts.map { .quantified(quantifier, in: path, variable: variable, $0) }
        case .constant, .comparison, .isEntity: []
        }
    }

    private static func shorter(_ members: [FetchPredicate]) -> [[FetchPredicate]] {
        members.indices.flatMap { index in
            members[index].parts.map { part in
                var changed = members
                changed[index] = part
                return changed
            }
        }
    }
}
