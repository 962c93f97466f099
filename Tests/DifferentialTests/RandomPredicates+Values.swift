import ContextCore
import Foundation

/// The types of values in predicates.
enum ValueKind: CaseIterable {
    case bool, integer, double, decimal, string, data, date, uuid, object

    init?(_ type: AttributeType) {
        switch type {
        case .bool: self = .bool
        case .int16, .int32, .int64: self = .integer
        case .float, .double: self = .double
        case .decimal: self = .decimal
        case .string, .url: self = .string
        case .data: self = .data
        case .date: self = .date
        case .uuid: self = .uuid
        case .codable, .composite: return nil
        }
    }

    var isOrdered: Bool { self != .object && self != .bool }
}

extension RandomPredicates {
    /// Returns an expression of a kind: a property if there is one, a computed value, or a constant.
    mutating func expression(_ kind: ValueKind, _ scope: Scope, depth: Int) -> FetchExpression {
        if depth > 0, random.chance(25), let worked = worked(kind, scope, depth: depth - 1) { return worked }
        for _ in 0..<4 {
            if let path = property(kind, scope) { return .path(path) }
        }
        return .literal(literal(kind))
    }

    private mutating func property(_ kind: ValueKind, _ scope: Scope) -> PropertyPath? {
        let (names, layout) = toOne(scope)
        if kind == .object { return PropertyPath(names, of: scope.variable) }
        let attributes = layout.properties.flatMap { Self.names(of: $0, kind) }
        if attributes.isEmpty { return nil }
        return PropertyPath(names + random.pick(attributes), of: scope.variable)
    }

    /// Returns the paths of a property's values of a kind: the property itself, or parts of a composite.
    private static func names(of property: PropertyLayout, _ kind: ValueKind) -> [[String]] {
        guard let attribute = property.attribute else { return [] }
        guard case .composite(let parts) = attribute.type else {
            return ValueKind(attribute.type) == kind ? [[property.name]] : []
        }
        return parts.filter { ValueKind($0.type) == kind }.map { [property.name, $0.name] }
    }

    mutating func literal(_ kind: ValueKind) -> StoredValue {
        switch kind {
        case .bool: .bool(random.chance(50))
        case .integer: random.chance(85) ? .int(values.integer()) : .double(Double(random.count(-9...9)) / 2)
        // A program may compare with negative zero, though no store saves one.
        case .double: .double(random.chance(3) ? -0.0 : values.double())
        case .decimal:
            .decimal(values.decimal(random.pick([9, 38]), random.pick([2, 4])))
        // No stored text has a NUL, but a text in a comparison may have one.
        case .string: .string(values.text() + (random.chance(3) ? "\0b" : ""))
        case .data: .data(values.data())
        case .date: .timestamp(microseconds: values.moment())
        case .uuid: .uuid(values.uuid())
        case .object: .null
        }
    }

    // MARK: Computed values

    private mutating func worked(_ kind: ValueKind, _ scope: Scope, depth: Int) -> FetchExpression? {
        if random.chance(15) {
            return .conditional(
                predicate(scope, depth: min(depth, 1)), then: expression(kind, scope, depth: depth),
                else: expression(kind, scope, depth: depth))
        }
        if random.chance(15) {
            return .function(
                .coalesce, [expression(kind, scope, depth: depth), expression(kind, scope, depth: depth)])
        }
        if random.chance(35), let aggregate = aggregate(kind, scope, depth: depth) {
            return .aggregate(aggregate)
        }
        switch kind {
        case .integer: return integer(scope, depth: depth)
        case .double, .decimal: return number(kind, scope, depth: depth)
        case .string:
            let function = random.pick([FetchFunction.lowercase, .uppercase, .trim, .concat])
            let first = expression(.string, scope, depth: depth)
            return .function(
                function, function == .concat ? [first, expression(.string, scope, depth: depth)] : [first])
        case .date:
            return .arithmetic(
                random.pick([.add, .subtract]), expression(.date, scope, depth: depth),
                expression(random.pick([.integer, .double]), scope, depth: depth))
        case .bool, .data, .uuid, .object: return nil
        }
    }

    private mutating func integer(_ scope: Scope, depth: Int) -> FetchExpression {
        switch random.count(0...4) {
        case 0:
            return .function(.length, [expression(random.pick([.string, .data]), scope, depth: depth)])
        case 1:
            let parts: [FetchFunction] = [.year, .month, .day, .hour, .minute, .second, .weekday]
            return .function(random.pick(parts), [expression(.date, scope, depth: depth)])
        case 2:
            return .function(
                .modulo,
                [expression(.integer, scope, depth: depth), expression(.integer, scope, depth: depth)])
        default: return number(.integer, scope, depth: depth)
        }
    }

    private mutating func number(_ kind: ValueKind, _ scope: Scope, depth: Int) -> FetchExpression {
        if random.chance(40) {
            return .function(
                random.pick([.negate, .abs, .ceiling, .floor, .round]),
                [expression(kind, scope, depth: depth)])
        }
        if kind == .double, random.chance(20) {
            return .arithmetic(
                .subtract, expression(.date, scope, depth: depth), expression(.date, scope, depth: depth))
        }
        let other: ValueKind = kind != .integer && random.chance(20) ? .integer : kind
        let signs: [ArithmeticOperator] =
            kind == .decimal ? [.add, .subtract, .multiply] : ArithmeticOperator.allCases
        return .arithmetic(
            random.pick(signs), expression(kind, scope, depth: depth), expression(other, scope, depth: depth))
    }

    private mutating func aggregate(_ kind: ValueKind, _ scope: Scope, depth: Int) -> FetchAggregate? {
        guard scope.depth < 3, let (path, destination) = collection(scope) else { return nil }
        let variable = "w\(scope.depth)"
        let inner = Scope(layout: destination, variable: variable, depth: scope.depth + 1)
        let filter =
            random.chance(30)
            ? FetchAggregate.Filter(variable: variable, predicate: predicate(inner, depth: min(depth, 1)))
            : nil
        if kind == .integer, random.chance(50) { return FetchAggregate(.count, of: path, where: filter) }
        let attributes = destination.properties.filter { property in
            property.attribute.flatMap { ValueKind($0.type) } == kind
        }
        if attributes.isEmpty { return nil }
        let functions: [AggregateFunction]
        switch kind {
        case .integer, .decimal: functions = [.sum, .minimum, .maximum]
        case .double: functions = [.sum, .average, .minimum, .maximum]
        case .string, .date: functions = [.minimum, .maximum]
        case .bool, .data, .uuid, .object: return nil
        }
        return FetchAggregate(
            random.pick(functions), of: path, where: filter, tail: [random.pick(attributes).name])
    }
}
