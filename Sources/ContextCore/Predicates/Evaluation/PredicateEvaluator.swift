/// Evaluates predicates and expressions in memory.
///
/// It is the reference for their semantics: the SQL of every store must produce the same results.
///
/// A condition is true, false or unknown. The scopes are the objects that conditions refer to, outermost first.
package struct PredicateEvaluator<Subject: PredicateSubject> {
    /// The time of the request, in microseconds since 1970.
    private let now: Int64

    package init(now: Int64) { self.now = now }

    /// Whether a condition is true for an object.
    package func isTrue(_ predicate: ResolvedPredicate, _ subject: Subject) throws -> Bool {
        try evaluate(predicate, [subject]) == .true
    }

    /// Evaluates an expression for an object.
    package func value(_ expression: ResolvedExpression, _ subject: Subject) throws -> StoredValue {
        try value(expression, [subject])
    }

    // MARK: Conditions

    package func evaluate(_ predicate: ResolvedPredicate, _ scopes: [Subject]) throws -> PredicateTruth {
        switch predicate {
        case .constant(let truth): truth
        case .compare(let left, let order, let right):
            try compare(value(left, scopes), order, value(right, scopes), as: left.type)
        case .text(let text, let test, let part):
            try onTexts(value(text, scopes), value(part, scopes)) { test.holds($0, $1) }
        case .like(let text, let pattern):
            try onText(value(text, scopes)) { pattern.matches($0) }
        case .matches(let text, let expression):
            try onText(value(text, scopes)) { expression.matches(folded: $0) }
        case .isNull(let expression): PredicateTruth(try value(expression, scopes).isNull)
        case .isMember(let expression, let values):
            PredicateTruth(isMember(try value(expression, scopes), of: values))
        case .isEntity(let property, let indices):
            PredicateTruth(
                try subject(of: property, scopes).map { indices.contains($0.entityIndex) } ?? false)
        case .exists(let collection, let condition): try exists(collection, condition, scopes)
        case .truth(let inner, let truth): PredicateTruth(try evaluate(inner, scopes) == truth)
        case .not(let inner): try evaluate(inner, scopes).opposite
        case .and(let members): try combine(members, scopes, absorbing: .false)
        case .or(let members): try combine(members, scopes, absorbing: .true)
        }
    }

    /// Evaluates AND or OR.
    ///
    /// Stops at the first member that decides the result; else the result is unknown if a member is unknown.
    private func combine(
        _ members: [ResolvedPredicate], _ scopes: [Subject], absorbing: PredicateTruth
    ) throws -> PredicateTruth {
        var result = absorbing.opposite
        for member in members {
            let truth = try evaluate(member, scopes)
            if truth == absorbing { return absorbing }
            if truth == .unknown { result = .unknown }
        }
        return result
    }

    private func compare(
        _ left: StoredValue, _ order: OrderOperator, _ right: StoredValue, as type: ResolvedType
    ) -> PredicateTruth {
        if left.isNull || right.isNull {
            switch order {
            case .equal: return PredicateTruth(left.isNull && right.isNull)
            case .notEqual: return PredicateTruth(left.isNull != right.isNull)
            case .less, .lessOrEqual, .greater, .greaterOrEqual: return .unknown
            }
        }
        // Unsaved objects come last, as in a sorted result.
        if type.isObject, case (.int(let left), .int(let right)) = (left, right) {
            return PredicateTruth(order.holds(TemporaryKeys.compare(left, right)))
        }
        return PredicateTruth(order.holds(ValueOrder.compare(left, right)))
    }

    /// Whether sorted constants contain a value, by binary search.
    private func isMember(_ value: StoredValue, of sorted: [StoredValue]) -> Bool {
        if value.isNull { return false }
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if ValueOrder.compare(sorted[middle], value) < 0 { low = middle + 1 } else { high = middle }
        }
        return low < sorted.count && sorted[low] == value
    }

    private func onText(_ value: StoredValue, _ test: (String) -> Bool) -> PredicateTruth {
        guard case .string(let text) = value else { return .unknown }
        return PredicateTruth(test(text))
    }

    private func onTexts(
        _ left: StoredValue, _ right: StoredValue, _ test: (String, String) -> Bool
    ) -> PredicateTruth {
        guard case .string(let left) = left, case .string(let right) = right else { return .unknown }
        return PredicateTruth(test(left, right))
    }

    private func exists(
        _ collection: ResolvedCollection, _ condition: ResolvedPredicate, _ scopes: [Subject]
    ) throws -> PredicateTruth {
        for member in try members(of: collection, scopes)
        where try evaluate(condition, scopes + [member]) == .true {
            return .true
        }
        return .false
    }

    // MARK: Objects

    /// Returns the object that a property belongs to; nil if a relationship on the way to it is nil.
    private func subject(of property: ResolvedProperty, _ scopes: [Subject]) throws -> Subject? {
        var subject = scopes[property.scope]
        for hop in property.hops {
            guard let next = try subject.target(hop) else { return nil }
            subject = next
        }
        return subject
    }

    private func members(of collection: ResolvedCollection, _ scopes: [Subject]) throws -> [Subject] {
        var subjects = [scopes[collection.scope]]
        for step in collection.steps {
            subjects = try subjects.flatMap { subject in
                if step.isToMany { return try subject.members(step) }
                return try subject.target(step).map { [$0] } ?? []
            }
        }
        return subjects
    }

    // MARK: Values

    package func value(_ expression: ResolvedExpression, _ scopes: [Subject]) throws -> StoredValue {
        switch expression.node {
        case .constant(let value): return value
        case .property(let property):
            guard let subject = try subject(of: property, scopes) else { return .null }
            switch property.target {
            case .key: return .int(subject.key)
            case .column(let column): return try subject.value(column: column)
            }
        case .arithmetic(let sign, let left, let right):
            return ValueArithmetic.apply(sign, try value(left, scopes), try value(right, scopes))
        case .function(.written(.now), _): return .timestamp(microseconds: now)
        case .function(let function, let arguments):
            return ValueFunctions.apply(
                function, try arguments.map { try value($0, scopes) }, as: expression.type)
        case .conditional(let condition, let first, let second):
            return try value(evaluate(condition, scopes) == .true ? first : second, scopes)
        case .aggregate(let aggregate):
            guard let collection = aggregate.collection else {
                throw StoreError(
                    .unsupportedRequest, "The request aggregates the rows of a group, but it has no groups.",
                    remedy: "Group the request, or aggregate a relationship, as in players.@count.")
            }
            let members = try members(of: collection, scopes).map { scopes + [$0] }
            return try self.aggregate(aggregate, over: members, type: expression.type)
        }
    }

    /// Evaluates an expression for a group of objects.
    ///
    /// Aggregates are over the group; properties are those of its first object.
    package func value(_ expression: ResolvedExpression, group: [Subject]) throws -> StoredValue {
        switch expression.node {
        case .aggregate(let aggregate) where aggregate.collection == nil:
            return try self.aggregate(aggregate, over: group.map { [$0] }, type: expression.type)
        case .arithmetic(let sign, let left, let right):
            return ValueArithmetic.apply(sign, try value(left, group: group), try value(right, group: group))
        case .function(.written(.now), _): return .timestamp(microseconds: now)
        case .function(let function, let arguments):
            return ValueFunctions.apply(
                function, try arguments.map { try value($0, group: group) }, as: expression.type)
        case .conditional(let condition, let first, let second):
            return try value(evaluate(condition, group: group) == .true ? first : second, group: group)
        case .constant(let value): return value
        case .property, .aggregate:
            guard let first = group.first else { return .null }
            return try value(expression, [first])
        }
    }

    /// Evaluates a condition for a group of objects.
    package func evaluate(_ predicate: ResolvedPredicate, group: [Subject]) throws -> PredicateTruth {
        switch predicate {
        case .compare(let left, let order, let right):
            return compare(
                try value(left, group: group), order, try value(right, group: group), as: left.type)
        case .isNull(let expression): return PredicateTruth(try value(expression, group: group).isNull)
        case .isMember(let expression, let values):
            return PredicateTruth(isMember(try value(expression, group: group), of: values))
        case .text(let text, let test, let part):
            return onTexts(try value(text, group: group), try value(part, group: group)) {
                test.holds($0, $1)
            }
        case .like(let text, let pattern):
            return onText(try value(text, group: group)) { pattern.matches($0) }
        case .matches(let text, let expression):
            return onText(try value(text, group: group)) { expression.matches(folded: $0) }
        case .truth(let inner, let truth): return PredicateTruth(try evaluate(inner, group: group) == truth)
        case .not(let inner): return try evaluate(inner, group: group).opposite
        case .and(let members):
            let truths = try members.map { try evaluate($0, group: group) }
            return truths.contains(.false) ? .false : truths.contains(.unknown) ? .unknown : .true
        case .or(let members):
            let truths = try members.map { try evaluate($0, group: group) }
            return truths.contains(.true) ? .true : truths.contains(.unknown) ? .unknown : .false
        case .constant(let truth): return truth
        case .isEntity, .exists:
            guard let first = group.first else { return .unknown }
            return try evaluate(predicate, [first])
        }
    }

    private func aggregate(
        _ aggregate: ResolvedAggregate, over members: [[Subject]], type: ResolvedType
    ) throws -> StoredValue {
        var accumulator = AggregateAccumulator(aggregate.function, type: type)
        for scopes in members {
            if let filter = aggregate.filter, try evaluate(filter, scopes) != .true { continue }
            accumulator.add(try aggregate.value.map { try value($0, scopes) } ?? .bool(true))
        }
        return accumulator.result
    }
}

extension PredicateTruth {
    /// The negated truth value; unknown stays unknown.
    package var opposite: PredicateTruth {
        switch self {
        case .true: .false
        case .false: .true
        case .unknown: .unknown
        }
    }
}

extension PredicateTruth {
    /// Makes the truth value of a Boolean.
    init(_ value: Bool) { self = value ? .true : .false }
}
