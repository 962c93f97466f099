import ContextCore

/// Reads all rows of another program's database once, to find those that can't be imported, before anything is written.
struct DatabaseSurvey {
    let mapping: DatabaseMapping
    let reader: any ForeignTableReader
    let values: DatabaseValues
    /// The properties and tables whose values may be lost, as `--accept-loss` names them.
    let acceptedLosses: Set<String>
    /// Whether rows that refer to a rejected row are rejected too, because the import continues without it.
    let rejectsReferringRows: Bool
    /// Gets each row that can't be imported; it may throw to stop.
    let reject: (RejectedTableRow) throws -> Void
    /// Reports progress: a table's name, the number of its rows that are done, and their total.
    let progress: (String, Int, Int) throws -> Void

    private(set) var rejectedKeys = RejectedKeys()
    /// The number of rows of each table of an entity, by the entity's index.
    private(set) var counts: [Int: Int] = [:]
    /// The values that can't be taken over, by their name and the reason.
    private var losses: [[String]: (count: Int, keys: [Int64])] = [:]

    init(
        _ mapping: DatabaseMapping, _ reader: any ForeignTableReader, _ values: DatabaseValues,
        acceptedLosses: Set<String>, rejectsReferringRows: Bool,
        reject: @escaping (RejectedTableRow) throws -> Void,
        progress: @escaping (String, Int, Int) throws -> Void
    ) {
        self.mapping = mapping
        self.reader = reader
        self.values = values
        self.acceptedLosses = acceptedLosses
        self.rejectsReferringRows = rejectsReferringRows
        self.reject = reject
        self.progress = progress
    }

    /// Reads all rows; returns the values and links that can't be taken over, sorted by their names.
    mutating func readTables() throws -> [ImportLoss] {
        let tables = mapping.tables.values.sorted { $0.structure.name < $1.structure.name }
        for table in tables { try readRows(of: table) }
        if rejectsReferringRows { try rejectReferringRows() }
        for links in mapping.links { try readLinks(links) }
        return losses.map { ImportLoss(name: $0[0], reason: $0[1], count: $1.count, keys: $1.keys) }
            .sorted { ($0.name, $0.reason) < ($1.name, $1.reason) }
    }

    // MARK: Rows

    private mutating func readRows(of table: DatabaseTable) throws {
        let name = table.structure.name
        let query = "SELECT count(*) FROM \(reader.spelling.table(table.structure))"
        let total = Int(try reader.rows(query).first?.first?.integer ?? 0)
        counts[table.layout.index] = total
        var done = 0
        try reader.forEachRow(of: table.surveyQuery, []) { row in
            let key = row[0].integer ?? 0
            let reasons = reasonsOfInvalidity(row, key, table)
            if !reasons.isEmpty { try rejectRow(row, key, table, because: reasons) }
            done += 1
            if done.isMultiple(of: 1000) { try progress("checking \(name)", done, total) }
        }
        try progress("checking \(name)", done, total)
    }

    /// Returns why a row can't be imported; nothing if it can.
    private mutating func reasonsOfInvalidity(
        _ row: [StoredValue], _ key: Int64, _ table: DatabaseTable
    ) -> [String] {
        var reasons: [String] = []
        for attribute in table.attributes {
            guard let reason = reasonOfInvalidity(row[1 + attribute.source], attribute) else { continue }
            let isNull = attribute.validation.failures(of: .null).isEmpty
            if isNull, accept("\(table.layout.name).\(attribute.name)", reason, key) { continue }
            reasons.append("\(attribute.name) \(reason)")
        }
        for (index, reference) in table.references.enumerated() {
            let place = 1 + table.values.count + 2 * index
            let (target, presence) = (row[place], row[place + 1])
            if !target.isNull || presence.isNull && !reference.isRequired { continue }
            if presence.isNull {
                reasons.append("\(reference.name) must have a value")
                continue
            }
            let reason = "refers to no row of \(reference.targetTable)"
            if !reference.isRequired, accept("\(table.layout.name).\(reference.name)", reason, key) {
                continue
            }
            reasons.append("\(reference.name) \(reason)")
        }
        return reasons
    }

    /// Returns why a value can't be taken over; nil if it can.
    private func reasonOfInvalidity(_ raw: StoredValue, _ attribute: DatabaseTable.Attribute) -> String? {
        do throws(ImportValueReader.Failure) {
            let value = try values.value(raw, of: attribute.type)
            return attribute.validation.failures(of: value).first?.message
        } catch {
            return "must be \(error.form)"
        }
    }

    /// Records a loss that is accepted; false if it isn't.
    private mutating func accept(_ name: String, _ reason: String, _ key: Int64?) -> Bool {
        guard acceptedLosses.contains(name) else { return false }
        var loss = losses[[name, reason]] ?? (0, [])
        loss.count += 1
        if let key, loss.keys.count < 10 { loss.keys.append(key) }
        losses[[name, reason]] = loss
        return true
    }

    private mutating func rejectRow(
        _ row: [StoredValue], _ key: Int64, _ table: DatabaseTable, because reasons: [String]
    ) throws {
        guard rejectedKeys.add(key, of: table.layout.index) else { return }
        let values = Array(row[1..<(1 + table.values.count)])
        try reject(
            RejectedTableRow(
                table: table.structure, key: key, address: table.keys.address(of: key, reader),
                keyColumns: table.keys.replacedKey, values: values, reasons: reasons))
    }

    // MARK: Consequences

    /// Rejects the rows that refer to rejected rows, and those that refer to these.
    private mutating func rejectReferringRows() throws {
        var waiting = rejectedKeys.keys.mapValues { $0.sorted() }
        // In the order of the entities, so that each run gives the same reasons.
        while let (target, keys) = waiting.min(by: { $0.key < $1.key }) {
            waiting[target] = nil
            for table in mapping.tables.values.sorted(by: { $0.layout.index < $1.layout.index }) {
                for reference in table.references where reference.targetIndex == target {
                    let query = table.referringQuery(reference, reader.spelling)
                    let reason = "\(reference.name) refers to a rejected row of \(reference.targetTable)"
                    for part in keys.chunks(ofCount: KeyChunks.defaultSize) {
                        try reader.forEachRow(of: query, [.string(part.listText)]) { row in
                            guard let key = row[0].integer,
                                !rejectedKeys.contains(key, of: table.layout.index)
                            else { return }
                            try rejectRow(row, key, table, because: [reason])
                            waiting[table.layout.index, default: []].append(key)
                        }
                    }
                }
            }
        }
    }

    private mutating func readLinks(_ links: DatabaseLinks) throws {
        let name = links.structure.name
        func rejectLink(_ values: [StoredValue], because reason: String) throws {
            try reject(
                RejectedTableRow(
                    table: links.structure, key: nil, address: nil,
                    keyColumns: links.structure.references.flatMap(\.columns), values: values,
                    reasons: [reason]))
        }
        let reason = "links a row that does not exist"
        try reader.forEachRow(of: links.danglingQuery, []) { row in
            if !accept(name, reason, nil) { try rejectLink(row, because: "it \(reason)") }
        }
        if !rejectsReferringRows { return }
        for (owner, end) in [links.first, links.second].enumerated() {
            let rejected = rejectedKeys.keys[end.table.layout.index, default: []].sorted()
            for part in rejected.chunks(ofCount: KeyChunks.defaultSize) {
                try reader.forEachRow(of: links.linksQuery(from: owner), [.string(part.listText)]) { row in
                    // A link of two rejected rows is rejected with the first.
                    let first = links.first.table.layout.index
                    if owner == 1, let key = row[0].integer, rejectedKeys.contains(key, of: first) { return }
                    try rejectLink(
                        Array(row.dropFirst()),
                        because: "it links a rejected row of \(end.table.structure.name)")
                }
            }
        }
    }
}
