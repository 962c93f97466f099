import ContextCore

/// Finds the candidates for properties, operators and values in a predicate or a sort order.
struct PropertyCompletion {
    /// The object or the value at the end of a path.
    private enum Target {
        case object(EntityLayout, isToMany: Bool)
        case value(AttributeType, isOptional: Bool, choices: [String])
    }

    let model: ObjectModel
    /// The entity of the request.
    let entity: EntityLayout
    /// The relationships over which variables iterate.
    let variables: [String: PropertyPath]
    /// The typed part of the word; without one, fewer candidates are shown.
    let typed: String

    /// The candidates where a value or a condition begins: properties, and once a letter is typed, keywords and functions.
    var operands: [CompletionCandidate] {
        var candidates = properties(of: entity)
        if typed.isEmpty { return candidates }
        candidates += variables.keys.sorted().map { CompletionCandidate("$\($0)", suffix: ".") }
        candidates += ["not", "any", "all", "none"].map { CompletionCandidate.keyword($0) }
        return candidates + Self.functions
    }

    /// The candidates after a point.
    func names(after operand: RequestScan.Operand) -> [CompletionCandidate] {
        let aggregates = AggregateFunction.allCases.map {
            CompletionCandidate("@\($0.rawValue)", suffix: $0 == .count ? " " : ".")
        }
        switch operand {
        case .path(let path):
            switch target(of: path) {
            case .object(let entity, isToMany: true): return properties(of: entity) + aggregates
            case .object(let entity, isToMany: false): return properties(of: entity)
            case .value(.composite(let parts), _, _):
                return parts.map { CompletionCandidate($0.name, help: $0.type.title) }
            case .value, nil: return []
            }
        case .aggregate(let path):
            guard case .object(let entity, _)? = target(of: path) else { return [] }
            return properties(of: entity)
        case .other: return aggregates
        }
    }

    /// The comparison operators for an operand.
    func operators(after operand: RequestScan.Operand) -> [CompletionCandidate] {
        let equality = ["==", "!="]
        let order = ["<", "<=", ">", ">=", "between"]
        let text = ["beginsWith", "contains", "endsWith", "like", "matches"]
        let signs: [String] =
            switch operand {
            case .aggregate: equality + order + ["in"]
            case .other: equality + order + ["in"] + text
            case .path(let path):
                switch target(of: path) {
                case .object(_, isToMany: true): ["contains"]
                case .object(_, isToMany: false): equality + ["in", "is"]
                case .value(.string, _, _), .value(.url, _, _): equality + text + ["in"] + order
                case .value(.bool, _, _), .value(.codable, _, _): equality
                case .value(.uuid, _, _), .value(.data, _, _): equality + ["in"]
                case .value(.composite, _, _): []
                case .value: equality + order + ["in"]
                case nil: equality + order + ["in"] + text
                }
            }
        return signs.map { CompletionCandidate.keyword($0) }
    }

    /// The values with which an operand can be compared.
    func values(for operand: RequestScan.Operand, _ sign: ComparisonOperator) -> [CompletionCandidate] {
        let values = constants(for: operand, sign)
        return typed.isEmpty && !values.isEmpty ? values : values + operands
    }

    /// The values of an enumeration: an attribute whose validation pattern lists words.
    func choices(for operand: RequestScan.Operand, _ sign: ComparisonOperator) -> [String] {
        guard sign == .equal || sign == .notEqual, case .path(let path) = operand,
            case .value(_, _, let choices)? = target(of: path)
        else { return [] }
        return choices
    }

    private func constants(
        for operand: RequestScan.Operand, _ sign: ComparisonOperator
    ) -> [CompletionCandidate] {
        guard case .path(let path) = operand, let target = target(of: path) else { return [] }
        if sign == .in { return [CompletionCandidate("{", suffix: "")] }
        let isEquality = sign == .equal || sign == .notEqual
        switch target {
        case .object(_, let isToMany): return isEquality && !isToMany ? [.keyword("nil")] : []
        case .value(let type, let isOptional, let choices):
            var values: [CompletionCandidate] =
                switch type {
                case .bool: [.keyword("true"), .keyword("false")]
                case .date: [.keyword("date(\"", suffix: ""), .keyword("now()")]
                case .uuid: [.keyword("uuid(\"", suffix: "")]
                default: []
                }
            if isEquality {
                values += choices.map {
                    CompletionCandidate("\(FetchExpression.literal(.string($0)))")
                }
                if isOptional { values.append(.keyword("nil")) }
            }
            return values
        }
    }

    private static let functions: [CompletionCandidate] = FetchFunction.allCases.compactMap { function in
        switch function {
        // Negation is written as a minus sign.
        case .negate: nil
        case .now: .keyword("now()")
        default: .keyword("\(function.rawValue)(", suffix: "")
        }
    }
}

// MARK: - Paths

extension PropertyCompletion {
    private func properties(of entity: EntityLayout) -> [CompletionCandidate] {
        entity.properties.compactMap { property in
            // The text form of a path has a `#` before names that are keywords.
            let name = "\(FetchExpression.path(PropertyPath([property.name])))"
            switch property.kind {
            case .relationship(let relationship):
                let destination = model.layouts[relationship.destinationIndex].name
                let isToMany = relationship.description.isToMany
                return CompletionCandidate(
                    name, suffix: "", help: isToMany ? "many \(destination)" : destination)
            case .attribute(let attribute):
                if case .transient = attribute.storage { return nil }
                let isComposite = if case .composite = attribute.type { true } else { false }
                return CompletionCandidate(
                    name, suffix: isComposite ? "." : " ", help: attribute.type.title)
            }
        }.sorted { $0.text < $1.text }
    }

    private func target(of path: PropertyPath) -> Target? { target(of: path, variables) }

    private func target(of path: PropertyPath, _ variables: [String: PropertyPath]) -> Target? {
        var target = Target.object(entity, isToMany: false)
        if let variable = path.variable {
            var outer = variables
            // A variable can't iterate over itself.
            guard let collection = outer.removeValue(forKey: variable),
                case .object(let element, _)? = self.target(of: collection, outer)
            else { return nil }
            target = .object(element, isToMany: false)
        }
        for name in path.names {
            guard let next = self.target(of: name, in: target) else { return nil }
            target = next
        }
        return target
    }

    private func target(of name: String, in owner: Target) -> Target? {
        switch owner {
        case .object(let entity, _):
            guard let property = entity.property(named: name) else { return nil }
            switch property.kind {
            case .attribute(let attribute): return Self.target(of: attribute)
            case .relationship(let relationship):
                return .object(
                    model.layouts[relationship.destinationIndex],
                    isToMany: relationship.description.isToMany)
            }
        case .value(.composite(let parts), _, _):
            return parts.first { $0.name == name }.map(Self.target)
        case .value: return nil
        }
    }

    private static func target(of attribute: AttributeDescription) -> Target {
        .value(
            attribute.type, isOptional: attribute.isOptional,
            choices: attribute.rules.lazy.compactMap { listedWords(in: $0) }.first ?? [])
    }

    /// Returns the words of a pattern that lists them, such as `open|paid|sent`; nil for other rules.
    private static func listedWords(in rule: ValidationRule) -> [String]? {
        guard case .pattern(let pattern) = rule else { return nil }
        var list = pattern[...]
        if list.first == "^", list.last == "$" { list = list.dropFirst().dropLast() }
        if list.first == "(", list.last == ")" { list = list.dropFirst().dropLast() }
        if list.hasPrefix("?:") { list = list.dropFirst(2) }
        let words = list.split(separator: "|", omittingEmptySubsequences: false)
        let areWords = words.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "_- ".contains($0) }
        }
        return words.count > 1 && areWords ? words.map(String.init) : nil
    }
}
