import ContextCore

/// Counts the saves of the last minutes by entity and by author, in buckets of a few seconds.
///
/// Its memory is bounded: by the number of buckets, of entities, and of the authors that a bucket distinguishes.
struct RateWindow: Sendable {
    /// One save, as far as it is counted.
    struct Save: Sendable, Equatable {
        /// The numbers of inserted, updated and deleted objects of an entity.
        struct Changes: Sendable, Equatable {
            var inserted = 0
            var updated = 0
            var deleted = 0

            var total: Int { inserted + updated + deleted }
        }

        var author: String?
        var changes: [String: Changes]

        var objectCount: Int { changes.values.reduce(0) { $0 + $1.total } }
    }

    /// The seconds of a bucket.
    static let bucketSeconds: Int64 = 5
    /// The number of buckets.
    static let bucketCount: Int64 = 60
    /// The number of authors that a bucket and a document distinguish; the saves of others are counted together.
    static let authorLimit = 50

    private var buckets: [Bucket] = []
    /// The first second of which all saves are counted.
    private var firstSecond: Int64
    /// The first and the last known size of the database in each bucket, oldest first.
    private var sizes: [(bucket: Int64, first: Int64, last: Int64)] = []

    /// - Parameter firstSecond: The first second of which all saves will be recorded, since any fixed time.
    init(firstSecond: Int64) { self.firstSecond = firstSecond }

    /// Records that older saves than those of a second were not recorded.
    mutating func limitCounting(to second: Int64) { firstSecond = max(firstSecond, second) }

    /// Records a save in a second; one that is older than the newest bucket by more than the window is ignored.
    mutating func record(_ save: Save, second: Int64) {
        let number = Self.bucket(of: second)
        removeBuckets(before: number)
        if let newest = buckets.last, number <= newest.number - Self.bucketCount { return }
        // Seeded saves come in the order of their numbers, which isn't always that of their times.
        let place = (buckets.lastIndex { $0.number <= number } ?? -1)
        if place >= 0, buckets[place].number == number {
            buckets[place].add(save)
        } else {
            var bucket = Bucket(number: number)
            bucket.add(save)
            buckets.insert(bucket, at: place + 1)
        }
    }

    /// Records the size of the database in a second.
    mutating func recordSize(_ bytes: Int64, second: Int64) {
        let number = Self.bucket(of: second)
        if sizes.last?.bucket == number {
            sizes[sizes.count - 1].last = bytes
        } else {
            sizes.append((number, first: bytes, last: bytes))
        }
        sizes.removeAll { $0.bucket <= number - Self.bucketCount }
    }

    /// By how much the database has grown in the window; nil if its size is unknown.
    private var addedBytes: Int64? {
        guard let first = sizes.first, let last = sizes.last else { return nil }
        return last.last - first.first
    }

    private static func bucket(of second: Int64) -> Int64 { second / bucketSeconds }

    private mutating func removeBuckets(before number: Int64) {
        buckets.removeAll { $0.number <= number - Self.bucketCount }
    }
}

extension RateWindow {
    /// The counts of the window, as a document.
    mutating func document(second: Int64) -> JSONValue {
        let last = Self.bucket(of: second)
        removeBuckets(before: last)
        let first = last - Self.bucketCount + 1
        let counted = buckets.filter { $0.number <= last }
        var total = Bucket(number: last)
        for bucket in counted { total.add(bucket) }
        let seconds = min(second - first * Self.bucketSeconds, second - firstSecond) + 1
        return .object([
            "seconds": .int(Int(max(1, seconds))), "saves": .int(total.saves), "objects": .int(total.objects),
            "entities": .array(total.entityDocuments), "authors": .array(total.authorDocuments),
            "otherAuthors": total.others.json,
            "buckets": .array(
                (first...last).map { number in
                    let bucket = counted.first { $0.number == number }
                    return .object([
                        "saves": .int(bucket?.saves ?? 0), "objects": .int(bucket?.objects ?? 0),
                    ])
                }),
            "bucketSeconds": .int(Int(Self.bucketSeconds)),
            "objectsPerSave": .object([
                "mean": .int(total.saves == 0 ? 0 : (total.objects + total.saves / 2) / total.saves),
                "largest": .int(total.largest),
            ]),
            "bytes": sizes.last.map { .int(Int($0.last)) } ?? .null,
            "bytesAdded": addedBytes.map { .int(Int($0)) } ?? .null,
        ])
    }
}

extension RateWindow {
    /// The saves of an author.
    fileprivate struct AuthorCount: Sendable {
        var saves = 0
        var objects = 0

        mutating func add(_ other: AuthorCount) {
            saves += other.saves
            objects += other.objects
        }

        var members: [String: JSONValue] { ["saves": .int(saves), "objects": .int(objects)] }
        var json: JSONValue { .object(members) }
    }

    /// The saves of an entity's objects.
    fileprivate struct EntityCount: Sendable {
        var saves = 0
        var changes = Save.Changes()

        mutating func add(_ other: EntityCount) {
            saves += other.saves
            changes.inserted += other.changes.inserted
            changes.updated += other.changes.updated
            changes.deleted += other.changes.deleted
        }
    }

    /// The saves of a few seconds, or of several buckets together.
    fileprivate struct Bucket: Sendable {
        let number: Int64
        var saves = 0
        var objects = 0
        /// The number of objects of the largest save.
        var largest = 0
        var entities: [String: EntityCount] = [:]
        var authors: [String?: AuthorCount] = [:]
        var others = AuthorCount()

        init(number: Int64) { self.number = number }

        mutating func add(_ save: Save) {
            let count = save.objectCount
            (saves, objects, largest) = (saves + 1, objects + count, max(largest, count))
            for (name, changes) in save.changes {
                entities[name, default: EntityCount()].add(EntityCount(saves: 1, changes: changes))
            }
            add(AuthorCount(saves: 1, objects: count), of: save.author)
        }

        mutating func add(_ other: Bucket) {
            saves += other.saves
            objects += other.objects
            largest = max(largest, other.largest)
            for (name, count) in other.entities { entities[name, default: EntityCount()].add(count) }
            for (name, count) in other.authors { add(count, of: name) }
            others.add(other.others)
        }

        private mutating func add(_ count: AuthorCount, of author: String?) {
            if authors[author] == nil, authors.count >= RateWindow.authorLimit {
                others.add(count)
            } else {
                authors[author, default: AuthorCount()].add(count)
            }
        }

        /// The entities, those with the most changed objects first.
        var entityDocuments: [JSONValue] {
            entities.sorted { ($1.value.changes.total, $0.key) < ($0.value.changes.total, $1.key) }
                .map { name, count in
                    .object([
                        "entity": .string(name), "saves": .int(count.saves),
                        "inserted": .int(count.changes.inserted), "updated": .int(count.changes.updated),
                        "deleted": .int(count.changes.deleted),
                    ])
                }
        }

        /// The authors, those with the most saves first.
        var authorDocuments: [JSONValue] {
            authors.sorted { ($1.value.saves, $0.key ?? "") < ($0.value.saves, $1.key ?? "") }
                .map { name, count in
                    .object(count.members.merging(["author": name.map(JSONValue.string) ?? .null]) { $1 })
                }
        }
    }
}
