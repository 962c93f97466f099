import ContextCore

/// Reads an export into a change set.
struct ExportReader {
    let name: String
    private let lines: [Substring]
    /// The model in the first line.
    let model: ObjectModel
    /// The number of objects that were read.
    private(set) var count = 0
    /// The number of objects that the first line declares; nil if it declares none.
    private let declaredCount: Int?
    /// The line number of each object, by inheritance tree and key.
    private(set) var lineNumbers: [Int: [Int64: Int]] = [:]

    /// Reads the first line.
    ///
    /// - Throws: ``AdminError`` if the line is not the first line of an export.
    init(_ text: String, name: String) throws {
        self.name = name
        lines = text.newlineSeparatedLines
        guard let first = lines.first, !first.isEmpty else {
            throw AdminError.badData("\(name): the export is empty.", hint: "Export the objects again.")
        }
        let problems = JSONProblems()
        let root = try Self.document(first, 1, name).root
        guard var reader = JSONObjectReader(root, as: "an export's first line", problems),
            reader.string("schema") == ExportHeader.schema, let node = reader.member("model")?.value
        else {
            throw AdminError.badData(
                "\(name):1: the file is not an export of storectl.",
                hint: "The first line of an export contains \"schema\":\"\(ExportHeader.schema)\".")
        }
        declaredCount = reader.int("objects")
        model = try ObjectModel(fileText: JSONValue(node).text, fileName: "\(name):1")
    }

    private static func document(_ line: Substring, _ number: Int, _ name: String) throws -> JSONDocument {
        do throws(JSONSyntaxError) {
            return try JSONDocument(String(line))
        } catch {
            throw AdminError.badData("\(name):\(number):\(error.position.column): \(error.message)")
        }
    }

    /// Records the line of an object, and throws if another object of the inheritance tree has the same key.
    private mutating func recordLine(of object: ObjectLineReader, at line: Int) throws(AdminError) {
        let root = model.layouts[object.entityIndex].rootIndex
        guard let first = lineNumbers[root, default: [:]].updateValue(line, forKey: object.key) else {
            return
        }
        throw .badData(
            "\(name):\(line): \(model.layouts[object.entityIndex].name):\(object.key) is already on line \(first)."
        )
    }

    /// Reads all objects, and returns a change set that inserts them.
    ///
    /// - Throws: ``AdminError`` with the line and column of invalid data.
    mutating func changes() throws -> ChangeSet {
        var rows: Rows = [:]
        var links: [Int: [Int: [RelatedRows.Link]]] = [:]
        for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            var object = ObjectLineReader(model: model, location: "\(name):\(index + 1)")
            try object.read(Self.document(line, index + 1, name).root)
            try recordLine(of: object, at: index + 1)
            rows[object.entityIndex, default: []].append((object.key, object.version, object.values))
            for (slot, targets) in object.links {
                links[object.entityIndex, default: [:]][slot, default: []] += targets.enumerated().map {
                    RelatedRows.Link(owner: object.key, target: $1, position: Int64($0))
                }
            }
            count += 1
        }
        if let declaredCount, declaredCount != count {
            throw AdminError.badData(
                "\(name): the file has \(Quantity.text(count, "object", "objects")), but line 1 declares \(Quantity.count(declaredCount)).",
                hint: "The file is truncated or was edited. Export the objects again.")
        }
        try checkOrders(rows, links)
        try checkPairs(rows)
        var changes = ChangeSet(author: "storectl import")
        for (entityIndex, rows) in rows.sorted(by: { $0.key < $1.key }) {
            var builder = RowBatchBuilder(model: model)
            for row in rows {
                builder.beginRow(key: row.key, version: row.version, entityIndex: entityIndex)
                for (column, value) in row.values { builder.set(column, to: value) }
            }
            changes.inserts.append(.init(entityIndex: entityIndex, rows: try builder.finish()))
        }
        for (entityIndex, slots) in links.sorted(by: { $0.key < $1.key }) {
            for (slot, placed) in slots.sorted(by: { $0.key < $1.key }) {
                changes.links.append(.init(entityIndex: entityIndex, slot: slot, placed: placed))
            }
        }
        return changes
    }

    /// Throws if an ordered to-many relationship doesn't list exactly the objects that refer to its owner.
    private func checkOrders(
        _ rows: Rows, _ links: [Int: [Int: [RelatedRows.Link]]]
    ) throws {
        for layout in model.layouts {
            for property in layout.storedCollections(in: model) {
                guard let relationship = property.relationship, !relationship.isManyToMany,
                    let inverse = relationship.inverseSlot
                else { continue }
                let destination = model.layouts[relationship.destinationIndex]
                guard let column = destination.properties[inverse].columns.first else { continue }
                var members: [Int64: Set<Int64>] = [:]
                for index in destination.familyIndices {
                    for row in rows[index] ?? [] {
                        if case .int(let owner)? = row.values[column] {
                            members[owner, default: []].insert(row.key)
                        }
                    }
                }
                let placed = Dictionary(
                    grouping: links[layout.index]?[property.slot] ?? [], by: \.owner)
                for row in rows[layout.index] ?? [] {
                    let listed = Set((placed[row.key] ?? []).map(\.target))
                    let mismatch = listed.symmetricDifference(members[row.key] ?? []).min()
                    guard let mismatch else { continue }
                    let what = listed.contains(mismatch) ? "lists" : "lacks"
                    let location = lineNumbers[layout.rootIndex]?[row.key].map { ":\($0)" } ?? ""
                    throw AdminError.badData(
                        "\(name)\(location): \(layout.name):\(row.key).\(property.name) \(what) \(destination.name):\(mismatch), which "
                            + "\(what == "lists" ? "doesn't refer" : "refers") to it.",
                        hint: "List exactly the objects that refer to the owner, in order.")
                }
            }
        }
    }
}
