import ContextCore

extension MigrationPlan {
    /// Returns a table of a few objects' values before and after the plan, and a sentence for each transition without samples.
    func sampleText(_ style: TextStyle) -> String {
        var rows = RowSet([
            .init("object"), .init("property"), .init("reads"), .init("before"), .init("after"),
        ])
        for sample in segments.flatMap(\.samplesInOrder) {
            for row in sample.rows {
                rows.append([
                    .string(row.object), .string(sample.path),
                    .string(row.readings.map { "\($0.path) \($0.value.sampleText)" }.joined(separator: ", ")),
                    .string(row.before?.text ?? ""), .string(row.after.text),
                ])
            }
        }
        let table = rows.rows.isEmpty ? "" : "\n" + rows.text(style)
        return table + unsampled.map { "\n\($0)\n" }.joined()
    }

    /// The sentences for later transitions, whose values can't be sampled because the rows that they read don't exist yet.
    private var unsampled: [String] {
        let isOfStore = segments.contains { $0.rowCounts != nil }
        guard isOfStore else { return [] }
        return segments.filter { $0.samples == nil && $0.fillsRows }.map { segment in
            "There are no samples of the conversions and stages of the migration \(segment.transition.name), which read the results of the "
                + "transition before it. Run 'storectl migrate rehearse' to see their results."
        }
    }
}

extension MigrationPlan.Segment {
    fileprivate var samplesInOrder: [MigrationSample] {
        (samples ?? [:]).sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// Whether conversions or stages compute values.
    fileprivate var fillsRows: Bool {
        steps.contains { step in
            if case .fill(let fill) = step.work { fill.derived.isEmpty } else { false }
        }
    }
}

extension MigrationSample {
    /// The sample as JSON.
    var json: JSONValue {
        .object([
            "property": .string(path), "conversion": conversion.map(JSONValue.string) ?? .null,
            "rows": .array(
                rows.map { row in
                    .object([
                        "object": .string(row.object),
                        "reads": .array(
                            row.readings.map {
                                .object(["property": .string($0.path), "value": .string($0.value.sampleText)])
                            }),
                        "before": row.before.map { .string($0.text) } ?? .null,
                        "after": row.after.problem == nil ? .string(row.after.text) : .null,
                        "problem": row.after.problem.map(JSONValue.string) ?? .null,
                    ])
                }),
        ])
    }
}

extension MigrationSample.Row {
    /// The object's name in reports: `Product:1`.
    fileprivate var object: String { "\(entityName):\(key)" }
}

extension MigrationSample.Content {
    fileprivate var text: String {
        switch self {
        case .value(let value): value.sampleText
        case .keys(let keys): PropertyContent.targets(keys).text
        case .problem(let sentence): sentence
        }
    }

    fileprivate var problem: String? {
        if case .problem(let sentence) = self { sentence } else { nil }
    }
}

extension StoredValue {
    /// The value as a rehearsal prints it.
    fileprivate var sampleText: String { PropertyContent.value(self).text }
}
