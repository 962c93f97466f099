import ContextCore

/// Evaluates the conversions of a migration for every row before any change, and counts results that the attribute can't store.
struct ConversionCheck {
    private let schema: SchemaTransition
    private let connection: any MigrationConnection

    init(_ schema: SchemaTransition, _ connection: any MigrationConnection) {
        self.schema = schema
        self.connection = connection
    }

    /// - Throws: `StoreError.Code.migrationRefused` with the number of objects that can't be converted and the first of them.
    func check(_ steps: [MigrationStep]) throws {
        for case .fill(let fill) in steps.map(\.work) where !fill.conversions.isEmpty {
            try check(fill)
        }
    }

    private func check(_ fill: MigrationStep.Fill) throws {
        let backfill = try RowBackfill(fill, schema)
        guard backfill.mayHaveConversionProblems else { return }
        var found: [Finding: (count: Int, first: Int64)] = [:]
        var (cursor, count): (Int64?, Int) = (nil, 0)
        while let last = try countProblems(backfill, after: cursor, &found, &count) { cursor = last }
        let worst = found.min { ($0.value.first, $0.key.target) < ($1.value.first, $1.key.target) }
        guard let (finding, rows) = worst else { return }
        throw refusalError(backfill.targets[finding.target].path, fill, finding.problem, rows, of: count)
    }

    /// The position of a target and a problem of its values.
    private struct Finding: Hashable {
        let target: Int
        let problem: ConversionProblem
    }

    /// Counts the problems of the next rows; returns the last key, or nil if no rows are left.
    private func countProblems(
        _ backfill: RowBackfill, after cursor: Int64?, _ found: inout [Finding: (count: Int, first: Int64)],
        _ count: inout Int
    ) throws -> Int64? {
        let rows = try backfill.rows(after: cursor, connection)
        for row in rows {
            for (target, value) in row.values.enumerated() {
                guard case .failure(let problem) = value else { continue }
                found[Finding(target: target, problem: problem), default: (0, row.key)].count += 1
            }
        }
        count += rows.count
        return rows.last?.key
    }

    private func refusalError(
        _ path: String, _ fill: MigrationStep.Fill, _ problem: ConversionProblem,
        _ rows: (count: Int, first: Int64), of count: Int
    ) -> StoreError {
        let name = String(path.drop { $0 != "." }.dropFirst())
        let first = rows.count == 1 ? "" : "the first of them "
        let objects =
            "\(rows.count.groupedDigits) of \(count.counted("object", "objects")), \(first)\(fill.entityName)/\(rows.first)"
        let message =
            "The conversion “\(fill.conversions[name] ?? "")” can't be used for \(path). \(problem.sentence(path, objects))"
        return StoreError(
            .migrationRefused, message, remedy: "\(problem.remedy). Nothing was changed.",
            cause: ObstructingRows(
                finding: MigrationFinding(
                    "rows-in-the-way", .error, path, "\(message) \(problem.remedy).")))
    }
}
