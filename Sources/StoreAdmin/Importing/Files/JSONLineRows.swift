import ContextCore

/// Converts lines of JSON objects to rows.
///
/// A member's name is that of a property. An object is the value of a composite, or a reference: `{"game": {"title": "Go"}}` means the
/// same as `{"game.title": "Go"}`.
struct JSONLineRows {
    private let entity: EntityLayout
    private let resolver: ImportTargets
    private let values: ImportValueReader
    /// The targets of the names seen so far, in the order of their first use; nil for a name that is left out.
    private(set) var targets: [(name: String, target: ImportTarget?)] = []
    private var places: [String: Int] = [:]

    init(_ entity: EntityLayout, _ resolver: ImportTargets, _ values: ImportValueReader) {
        self.entity = entity
        self.resolver = resolver
        self.values = values
    }

    /// Returns a line as a row.
    ///
    /// - Throws: ``RejectedRow`` for a line that isn't a JSON object of valid values; ``AdminError`` for an unknown name.
    mutating func row(_ text: String, line: Int) throws -> ImportedRow {
        var row = ImportedRow(line: line, source: .json(text))
        do {
            let document = try JSONDocument(text)
            guard case .object(let members) = document.root.content else {
                throw RejectedRow(line: line, source: row.source, reason: "it isn't a JSON object")
            }
            let isReject = members.contains { $0.name == RejectFile.textMember }
            if isReject, try resolver.target(RejectFile.textMember) == nil {
                throw RejectedRow(
                    line: line, source: row.source,
                    reason:
                        "it is a rejected line that isn't corrected: its text is in \(RejectFile.textMember)")
            }
            for member in members { try append(member, named: member.name, to: &row) }
            if let twice = row.repeatedColumn {
                throw RejectedRow(
                    line: line, source: row.source, reason: "it sets \(entity.columns[twice].name) twice")
            }
        } catch let error as JSONSyntaxError {
            throw RejectedRow(
                line: line, source: row.source,
                reason: "it isn't valid JSON in column \(error.position.column): \(error.message)")
        }
        return row
    }

    private mutating func append(_ member: JSONMember, named name: String, to row: inout ImportedRow) throws {
        if case .object(let parts) = member.value.content, hasParts(name) {
            for part in parts { try append(part, named: "\(name).\(part.name)", to: &row) }
            return
        }
        if case .null = member.value.content, let property = entity.property(named: name),
            property.relationship?.description.isToMany == false, let column = property.columns.first
        {
            return row.set(.null, in: column)
        }
        guard let target = try target(name) else { return }
        do throws(ImportValueReader.Failure) {
            row.append(try values.value(member.value, of: target.attribute.type), to: target)
        } catch {
            throw RejectedRow(
                line: row.line, source: row.source, reason: "\(target.path) must be \(error.form)")
        }
    }

    /// Whether an object is a reference or a composite, and not a value.
    private func hasParts(_ name: String) -> Bool {
        guard let property = entity.property(named: name) else { return false }
        guard let attribute = property.attribute else { return true }
        if case .composite = attribute.type { return true }
        return false
    }

    private mutating func target(_ name: String) throws(AdminError) -> ImportTarget? {
        if let place = places[name] { return targets[place].target }
        let target = try resolver.target(name)
        places[name] = targets.count
        targets.append((name, target))
        return target
    }
}
