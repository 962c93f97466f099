import ContextCore

/// Copies the objects of another program's database, read by a session, into a store, and compares the result with the source.
struct SourceCopy {
    /// What the store has after the copy.
    struct Result {
        /// The number of objects of each entity.
        let counts: [String: Int]
        let differences: [StoreComparison.Difference]
    }

    let call: CommandCall
    let source: any ReadSession
    let model: ObjectModel
    /// The identity of the source, by which an import that was stopped is recognized.
    let sourceID: String
    let progress: ProgressLine
    /// Returns a key of an inheritance tree up to which no new object may get one.
    var reservedKey: (EntityLayout) -> Int64 = { _ in 0 }

    func copy(to coordinator: any StoreCoordinator) throws -> Result {
        let info = try prepare(coordinator)
        try StoreCopy(
            source: source, destination: coordinator, model: model, progress: progress.report,
            betweenBatches: call.checkImportInterruption
        ).copy()
        try reserveKeys(coordinator)
        let copy = try coordinator.openReadSession(.forAllRows(identifier: "import"))
        defer { copy.end() }
        var comparison = StoreComparison(first: source, second: copy, model: model, limit: 100) {
            progress.report($0, $1, of: $2)
            try call.checkImportInterruption()
        }
        try comparison.compare(model.layouts)
        let counts = try copy.counts(in: model)
        let isEqual = try comparison.differences.isEmpty && counts == source.counts(in: model)
        if isEqual { try coordinator.replaceUserInfo(info) }
        return Result(counts: counts, differences: comparison.differences)
    }

    /// Checks that the destination is empty or an unfinished import of the source to resume, and marks it as unfinished.
    ///
    /// - Returns: The metadata that the finished store gets.
    private func prepare(_ coordinator: any StoreCoordinator) throws -> [String: String] {
        let key = DataImportCommand.unfinishedKey
        let recorded = try coordinator.metadata().userInfo
        let info = recorded.filter { $0.key != key }
        let isUnfinished = recorded[key] == sourceID
        if call.arguments.has("resume") {
            if isUnfinished { return info }
            if let before = recorded[key], before != DataImportCommand.fileMark {
                throw changedSourceError(before)
            }
        }
        try coordinator.checkIsEmpty(
            model,
            hint: isUnfinished
                ? "The destination is an unfinished import of this store. Add --resume."
                : "Name an empty store, or one that does not exist yet.")
        try coordinator.replaceUserInfo(info.merging([key: sourceID]) { $1 })
        return info
    }

    private func changedSourceError(_ before: String) -> AdminError {
        AdminError.refused(
            """
            the import can't be resumed, because its source is not as it was when the import was stopped:
              then: \(before)
              now:  \(sourceID)
            """, hint: "Drop the store with 'storectl db drop', and start again.")
    }

    /// Reserves the keys that the source has assigned, so that the keys of deleted objects are not assigned again.
    private func reserveKeys(_ coordinator: any StoreCoordinator) throws {
        let session = try coordinator.openWriteSession(SessionOptions(identifier: "import"))
        defer { session.end() }
        for root in model.layouts where root.rootIndex == root.index {
            let maxKey = reservedKey(root)
            if maxKey == 0 { continue }
            let reserved = try session.reserveKeys(1, rootIndex: root.index)
            if reserved.upperBound <= maxKey {
                _ = try session.reserveKeys(Int(maxKey - reserved.upperBound + 1), rootIndex: root.index)
            }
        }
        _ = try session.commit()
    }
}

extension ReadSession {
    /// Returns the number of objects of each entity that isn't abstract.
    func counts(in model: ObjectModel) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for entity in model.layouts where !entity.isAbstract {
            counts[entity.name] = try count(of: entity, includesSubentities: false)
        }
        return counts
    }
}

extension CommandCall {
    /// Throws if a signal requests that an import with `--from` stops.
    func checkImportInterruption() throws {
        try stopRequest.throwIfRequested(
            "The import", hint: "Continue with 'storectl data import --resume' and the same arguments.")
    }

    /// Writes a report to the file of `--report`, if there is one.
    func writeReportFile(_ report: Report) throws {
        guard let path = arguments["report"] else { return }
        let format: OutputFormat = path.hasSuffix(".json") ? .json : .table
        let sink = try FileSink(tool.environment.resolved(path))
        defer { sink.close() }
        try sink.write(report.formatted(format, TextStyle()))
        try sink.finish()
    }
}
