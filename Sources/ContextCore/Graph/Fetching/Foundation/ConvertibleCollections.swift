import Foundation

// Key paths, sequences and text.

extension PredicateExpressions.KeyPath: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        let base = try conversion.convert(root)
        if let counted = Root.Output.self as? any CountedValue.Type {
            if keyPath == counted.isEmptyPath { return .condition(try isEmpty(base, isText: counted.isText)) }
            if keyPath == counted.countPath, !counted.isText {
                return .value(.aggregate(try count(of: base)))
            }
        }
        guard case .value(.path(let path)) = base else {
            throw PredicateConversionError("\(keyPath)", "Only properties of objects are supported.")
        }
        if let type = Root.Output.self as? any KeyPathRoot.Type, let end = type.expression(of: keyPath),
            case .path(let rest) = end
        {
            return .value(.path(rest.rebased(on: path)))
        }
        if case .names(let names) = KeyPathTail(keyPath, after: 0), names.count == 1,
            !names[0].hasPrefix("<")
        {
            return .value(.path(path.appending(names)))
        }
        throw PredicateConversionError("\(keyPath)", "It is not a stored property.")
    }

    private func isEmpty(_ base: ConvertedExpression, isText: Bool) throws -> FetchPredicate {
        if isText, case .value(let value) = base {
            return .comparing(value, .equal, .literal(.string("")))
        }
        return .comparing(.aggregate(try count(of: base)), .equal, .literal(.int(0)))
    }

    private func count(of base: ConvertedExpression) throws -> FetchAggregate {
        switch base {
        case .value(.path(let path)): FetchAggregate(.count, of: path)
        case .filtered(let path, let variable, let condition):
            FetchAggregate(.count, of: path, where: .init(variable: variable, predicate: condition))
        default:
            throw PredicateConversionError("\(keyPath)", "Only the objects of a relationship can be counted.")
        }
    }
}

extension PredicateExpressions.Filter: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        let (name, inner) = conversion.bindingElement(variable.key)
        return .filtered(try conversion.path(sequence), variable: name, try inner.condition(filter))
    }
}

extension PredicateExpressions.SequenceContainsWhere: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        let (name, inner) = conversion.bindingElement(variable.key)
        return .condition(
            .quantified(.any, in: try conversion.path(sequence), variable: name, try inner.condition(test)))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        let (name, inner) = conversion.bindingElement(variable.key)
        return .condition(
            .quantified(.all, in: try conversion.path(sequence), variable: name, try inner.condition(test)))
    }
}

extension PredicateExpressions.SequenceContains: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        .condition(.comparing(try conversion.value(element), .in, try conversion.value(sequence)))
    }
}

extension PredicateExpressions.SequenceStartsWith: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        .condition(.comparing(try conversion.value(base), .beginsWith, try conversion.value(prefix)))
    }
}

extension PredicateExpressions.CollectionContainsCollection: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        .condition(.comparing(try conversion.value(base), .contains, try conversion.value(other)))
    }
}

extension PredicateExpressions.ClosedRange: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        .value(.list([try conversion.value(lower), try conversion.value(upper)]))
    }
}

extension PredicateExpressions.RangeExpressionContains: ConvertibleExpression {
    func convert(_ conversion: PredicateConversion) throws -> ConvertedExpression {
        let bounds = try conversion.value(range)
        guard case .list(let members) = bounds, members.count == 2 else {
            throw PredicateConversionError("contains", "Only closed ranges, such as 1...5, are supported.")
        }
        return .condition(.comparing(try conversion.value(element), .between, bounds))
    }
}

// MARK: - Types

/// A class whose key paths can be resolved to expressions.
protocol KeyPathRoot {
    static func expression(of keyPath: AnyKeyPath) -> FetchExpression?
}

extension ManagedObject: KeyPathRoot {
    static func expression(of keyPath: AnyKeyPath) -> FetchExpression? {
        (keyPath as? PartialKeyPath<Self>).map { PropertyPathCache.expression(of: $0) }
    }
}

/// A type with the properties `count` and `isEmpty`.
protocol CountedValue {
    static var countPath: AnyKeyPath { get }
    static var isEmptyPath: AnyKeyPath { get }
    static var isText: Bool { get }
}

extension Set: CountedValue {
    static var countPath: AnyKeyPath { \Self.count }
    static var isEmptyPath: AnyKeyPath { \Self.isEmpty }
    static var isText: Bool { false }
}

extension Array: CountedValue {
    static var countPath: AnyKeyPath { \Self.count }
    static var isEmptyPath: AnyKeyPath { \Self.isEmpty }
    static var isText: Bool { false }
}

extension String: CountedValue {
    static var countPath: AnyKeyPath { \Self.count }
    static var isEmptyPath: AnyKeyPath { \Self.isEmpty }
    static var isText: Bool { true }
}
