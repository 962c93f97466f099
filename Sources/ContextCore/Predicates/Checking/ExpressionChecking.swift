/// Resolves expressions.
extension RequestChecker {
    /// Resolves any expression except a list.
    func operand(_ source: FetchExpression) throws -> Operand {
        let inner = try nested()
        switch source {
        case .literal(let value): return try constant(value, source)
        case .object(let id): return try object(id, source)
        case .path(let path): return try property(path)
        case .arithmetic(let sign, let left, let right):
            let expression = try arithmetic(sign, inner.operand(left), inner.operand(right), source)
            return Operand(source, expression)
        case .function(let function, let arguments):
            let operands = try arguments.map { try inner.operand($0) }
            return Operand(source, try call(function, operands, source))
        case .conditional(let test, then: let first, else: let second):
            return try inner.conditional(test, first, second, source)
        case .aggregate(let aggregate): return Operand(source, try inner.aggregate(aggregate, source))
        case .list:
            throw failure(source, "a list is allowed only after IN and BETWEEN.")
        }
    }

    private func constant(_ value: StoredValue, _ source: FetchExpression) throws -> Operand {
        guard let type = ResolvedType(value) else {
            throw failure(source, "a composite can't be compared as a whole. Compare its parts.")
        }
        switch value {
        case .string(let text) where text.containsNUL:
            throw failure(source, "the string contains a NUL character, which stores can't save.")
        case .double(let number) where number.isNaN: throw failure(source, "NaN can't be compared.")
        case .decimal(let number) where number.isNaN: throw failure(source, "NaN can't be compared.")
        default: break
        }
        return Operand(source, .constant(value, type: type))
    }

    /// Resolves an object's identifier to its key.
    ///
    /// - Throws: ``StoreError`` if the object belongs to another store or to an entity that the model lacks.
    private func object(_ id: ObjectID, _ source: FetchExpression) throws -> Operand {
        if let storeID, id.storeID != storeID {
            throw failure(
                source, "the object belongs to another store.",
                code: .objectNotFound)
        }
        guard let entity = model.layout(named: id.entityName) else {
            throw failure(
                source, "the object's entity “\(id.entityName)” is not in the model.",
                code: .unknownProperty)
        }
        return Operand(source, .constant(.int(id.key), type: .object(entityIndex: entity.index)))
    }

    // MARK: Properties

    private func property(_ path: PropertyPath) throws -> Operand {
        let checked = try resolvePath(path)
        if checked.collectionLength != nil {
            throw failure(
                .path(path), "it contains a to-many relationship, so it has many values.",
                remedy: "Put ANY, ALL or NONE before it, or use @count, @sum, @avg, @min or @max.")
        }
        var operand = Operand(.path(path), property(checked))
        if case .column(let index) = checked.end,
            case .attribute(let type) = checked.entity.columns[index].kind
        {
            operand.attributeType = type
            operand.isOpaque = Self.isOpaque(checked.entity, column: index)
        }
        if let groupedBy, !groupedBy.contains(operand.expression) {
            throw failure(.path(path), "the request neither groups by it nor aggregates it.")
        }
        return operand
    }

    /// Whether a column's stored form can't be compared: an encoded, transformed or externally stored value.
    package static func isOpaque(_ entity: EntityLayout, column: Int) -> Bool {
        let layout = entity.columns[column]
        guard case .attribute(let type) = layout.kind, ResolvedType(type) != nil else { return true }
        let attribute = entity.properties[layout.slot].attribute
        return attribute?.transformerName != nil || attribute?.externalThreshold != nil
    }

    /// Returns the value at the end of a path without to-many relationships.
    func property(_ checked: CheckedPath) -> ResolvedExpression {
        switch checked.end {
        case .column(let index):
            let target = ResolvedProperty(
                scope: checked.scope, hops: checked.steps, entityIndex: checked.entity.index,
                target: .column(index))
            let type: ResolvedType =
                if case .attribute(let attribute) = checked.entity.columns[index].kind {
                    ResolvedType(attribute) ?? .string
                } else {
                    .object(entityIndex: checked.entity.index)
                }
            return ResolvedExpression(.property(target), type: type, isNullable: checked.isNullable)
        case .object:
            let type = ResolvedType.object(entityIndex: checked.entity.index)
            return ResolvedExpression(
                .property(reference(checked)), type: type, isNullable: checked.isNullable)
        }
    }

    /// Returns the identity of the object at the end of a path.
    ///
    /// The foreign key column of the last relationship already holds it, so that relationship needs no join.
    private func reference(_ checked: CheckedPath) -> ResolvedProperty {
        guard let last = checked.steps.last, let column = last.column else {
            return ResolvedProperty(
                scope: checked.scope, hops: [], entityIndex: checked.entity.index, target: .key)
        }
        return ResolvedProperty(
            scope: checked.scope, hops: checked.steps.dropLast(), entityIndex: last.sourceIndex,
            target: .column(column))
    }

    // MARK: Conditionals

    private func conditional(
        _ test: FetchPredicate, _ first: FetchExpression, _ second: FetchExpression, _ source: FetchExpression
    ) throws -> Operand {
        let condition = try condition(test)
        let branches = try unified([operand(first), operand(second)], source)
        switch condition {
        case .constant(.true): return Operand(source, branches[0])
        case .constant: return Operand(source, branches[1])
        default:
            let isNullable = branches.contains(where: \.isNullable)
            return Operand(
                source,
                ResolvedExpression(
                    .conditional(condition, then: branches[0], else: branches[1]),
                    type: branches[0].type, isNullable: isNullable))
        }
    }

    /// Converts values to their common type.
    func unified(_ operands: [Operand], _ source: FetchExpression) throws -> [ResolvedExpression] {
        if let opaque = operands.first(where: \.isOpaque) { throw self.opaqueOperandError(opaque) }
        let typed = operands.filter { $0.constant == nil }.map(\.type)
        let types = (typed.isEmpty ? operands.map(\.type) : typed).filter { $0 != .null }
        guard var type = types.first else { return operands.map(\.expression) }
        for other in types where other != type {
            guard let common = common(type, other) else {
                throw failure(
                    source, "\(type.text(in: model)) and \(other.text(in: model)) have no common type.")
            }
            type = common
        }
        if type == .integer, let fraction = operands.first(where: isFraction) { type = fraction.type }
        return try operands.map { try converted($0, to: type) }
    }

    /// Whether a value is a non-integral constant number, which makes integers beside it doubles or decimals.
    private func isFraction(_ operand: Operand) -> Bool {
        guard let constant = operand.constant, operand.type == .double || operand.type == .decimal else {
            return false
        }
        if case .exact? = ConvertedConstant(constant, to: .integer, attribute: nil) { return false }
        return true
    }

    /// Returns the type that values of two types can both be converted to; nil if there is none.
    private func common(_ first: ResolvedType, _ second: ResolvedType) -> ResolvedType? {
        switch (first, second) {
        case (.integer, .double), (.double, .integer): .double
        case (.integer, .decimal), (.decimal, .integer): .decimal
        case (.object(let a), .object(let b)) where model.layouts[a].rootIndex == model.layouts[b].rootIndex:
            .object(entityIndex: model.layouts[a].rootIndex)
        default: nil
        }
    }

    /// Converts a value to a type.
    func converted(_ operand: Operand, to type: ResolvedType) throws -> ResolvedExpression {
        if operand.isNull { return .constant(.null, type: type) }
        if operand.type == type || operand.type.isObject && type.isObject {
            return ResolvedExpression(
                operand.expression.node, type: type, isNullable: operand.expression.isNullable)
        }
        if let constant = operand.constant {
            switch ConvertedConstant(constant, to: type, attribute: nil) {
            case .exact(let value)?: return .constant(value, type: type)
            // The integer isn't exactly representable as a double, so an adjacent double is used.
            case .between(let value, _)? where type == .double: return .constant(value, type: type)
            default: break
            }
        }
        guard operand.type == .integer, type == .double || type == .decimal else {
            throw failure(
                operand.source, "it is \(operand.type.text(in: model)), not \(type.text(in: model)).")
        }
        return .function(.convert, [operand.expression], type: type)
    }
}
