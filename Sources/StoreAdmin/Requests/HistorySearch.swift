import ContextCore

/// Finds the newest saves that satisfy a request, in bounded memory.
///
/// It reads the history from its end, some saves at a time, until it has found enough. Only a search for the saves since a time starts at
/// the oldest of them, because the times of saves by several processes needn't ascend, and the database finds the first one.
struct HistorySearch {
    /// An object whose changes the search returns.
    struct Object {
        /// The indexes of the entities that the object may be of.
        let entityIndices: Set<Int>
        let key: Int64
    }

    let session: any ReadSession
    let request: HistoryRequest
    /// The object that the saves changed; nil for saves of any objects.
    var object: Object?
    /// The name or the identifier of the process whose saves the search returns; nil for saves of all processes.
    var process: String?
    /// The number of saves that are read at a time.
    var step = 256

    /// Returns the newest saves, oldest first, with only the changes that satisfy the request.
    func newest(_ limit: Int) throws -> [HistoryTransaction] {
        if let after = request.after {
            // The history after the save must be complete, and the save must exist.
            var first = HistoryRequest(after: after, limit: 1)
            first.omitsChanges = true
            _ = try session.history(first)
        }
        if limit == 0 { return [] }
        return request.since == nil ? try newestFromEnd(limit) : try newestFromStart(limit)
    }

    private func newestFromEnd(_ limit: Int) throws -> [HistoryTransaction] {
        let lowest = request.after?.sequence ?? 0
        var found: [HistoryTransaction] = []
        var end = session.token.sequence
        while end > lowest, found.count < limit {
            let start = max(lowest, end - Int64(step))
            let (saves, isOldest) = try saves(after: start, through: end)
            found += saves.reversed().compactMap(matchingPart)
            end = isOldest ? lowest : start
        }
        return found.prefix(limit).reversed()
    }

    /// Reads the saves of a range of numbers, and returns whether there are no older ones.
    private func saves(
        after start: Int64, through end: Int64
    ) throws -> (saves: [HistoryTransaction], isOldest: Bool) {
        // There are at most as many saves as numbers. Without a filter, the database reads no more than these.
        var range = HistoryRequest(limit: Int(end - start))
        if start > 0 { range.after = StoreToken(storeID: session.token.storeID, sequence: start) }
        var isOldest = start == 0
        let saves: [HistoryTransaction]
        do {
            saves = try session.history(range)
        } catch let error as StoreError where error.code == .historyExpired {
            range.after = nil
            isOldest = true
            saves = try session.history(range)
        }
        return (saves.filter { $0.token.sequence <= end }, isOldest)
    }

    private func newestFromStart(_ limit: Int) throws -> [HistoryTransaction] {
        var found: [HistoryTransaction] = []
        var part = request
        part.limit = step
        while true {
            let saves = try session.history(part)
            found = (found + saves.compactMap(matchingPart)).suffix(limit)
            guard saves.count == step, let last = saves.last else { return found }
            part.after = last.token
        }
    }

    /// Returns a save with only the changes that satisfy the request; nil if it has none, or another author or process.
    private func matchingPart(_ save: HistoryTransaction) -> HistoryTransaction? {
        if let author = request.author, author != save.author { return nil }
        if let process, save.process.map({ [$0.name, String($0.identifier)].contains(process) }) != true {
            return nil
        }
        if request.entityIndices == nil, object == nil { return save }
        var part = save
        part.changes = save.changes.filter { change in
            request.entityIndices?.contains(change.entityIndex) != false
                && object.map { $0.entityIndices.contains(change.entityIndex) && $0.key == change.key }
                    != false
        }
        return part.changes.isEmpty ? nil : part
    }
}
