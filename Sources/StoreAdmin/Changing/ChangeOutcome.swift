import ContextCore

/// What a save of changes did, or would do, or why it can't be done.
struct ChangeOutcome: Sendable {
    struct Insertion: Sendable {
        /// The temporary name that the caller gave.
        let name: String?
        let entityName: String
        /// The key; nil if nothing was saved.
        let key: Int64?
        let version: Int64?
    }

    struct Update: Sendable {
        let object: String
        /// The version after the save; nil if nothing was saved, or if only links of an object that was not loaded changed.
        let version: Int64?
        /// The names of the properties whose stored values changed.
        let properties: [String]
    }

    struct Deletion: Sendable {
        let object: String
        /// The delete rule that deleted the object, such as `cascade of Game:2`; nil if the caller asked for the deletion.
        let cause: String?
    }

    struct Nullification: Sendable {
        let object: String
        let property: String
        let cause: String
    }

    /// The number of objects, including those that the lists omit.
    struct Counts: Sendable, Equatable {
        var inserted = 0
        var updated = 0
        var deleted = 0
        var nullified = 0
    }

    /// The number of other objects that a list has after those that the caller named.
    static let listLimit = 1_000

    var isSaved = false
    var isDry = false
    var inserted: [Insertion] = []
    var updated: [Update] = []
    var deleted: [Deletion] = []
    var nullified: [Nullification] = []
    var counts = Counts()
    var failures: [ChangeFailure] = []
    var conflicts: [ChangeConflict] = []

    /// Whether the changes can be saved.
    var isValid: Bool { failures.isEmpty && conflicts.isEmpty }
}

/// An object that another save has changed or deleted since the caller saw it.
struct ChangeConflict: Sendable {
    struct Property: Sendable {
        let name: String
        /// The value that the caller saw; null if the caller didn't give it.
        let base: JSONValue
        /// The value that the caller assigned; null in a deletion.
        let mine: JSONValue
        let theirs: JSONValue
    }

    let place: String
    let object: String
    /// The version in the store; nil if the object is deleted.
    let version: Int64?
    let properties: [Property]

    var isDeleted: Bool { version == nil }

    var json: JSONValue {
        .object([
            "place": .string(place), "object": .string(object), "version": .version(version),
            "deleted": .bool(isDeleted),
            "properties": .array(
                properties.map {
                    .object(["name": .string($0.name), "base": $0.base, "mine": $0.mine, "theirs": $0.theirs])
                }),
        ])
    }
}

extension JSONValue {
    /// Returns a version or a key as a number; null if there is none.
    fileprivate static func version(_ version: Int64?) -> JSONValue {
        version.map { .number(String($0)) } ?? .null
    }

    fileprivate static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}

// The document.
extension ChangeOutcome {
    /// The report of the command `change`.
    var report: Report {
        var report = Report("change", json, exit: exit) { text($0) }
        report.isData = true
        return report
    }

    /// The exit code, which is that of the errors of a save.
    private var exit: ExitCode {
        if !conflicts.isEmpty { return .failure }
        return failures.isEmpty ? .success : .badData
    }

    private var json: [String: JSONValue] {
        [
            "saved": .bool(isSaved), "dryRun": .bool(isDry),
            "inserted": .array(
                inserted.map {
                    let entity = $0.entityName
                    return .object([
                        "as": .text($0.name), "entity": .string(entity),
                        "object": .text($0.key.map { "\(entity):\($0)" }), "version": .version($0.version),
                    ])
                }),
            "updated": .array(
                updated.map {
                    .object([
                        "object": .string($0.object), "version": .version($0.version),
                        "properties": .array($0.properties.map(JSONValue.string)),
                    ])
                }),
            "deleted": .array(
                deleted.map { .object(["object": .string($0.object), "cause": .text($0.cause)]) }),
            "nullified": .array(
                nullified.map {
                    .object([
                        "object": .string($0.object), "property": .string($0.property),
                        "cause": .string($0.cause),
                    ])
                }),
            "counts": .object([
                "inserted": .int(counts.inserted), "updated": .int(counts.updated),
                "deleted": .int(counts.deleted), "nullified": .int(counts.nullified),
            ]),
            "failures": .array(failures.map(\.json)), "conflicts": .array(conflicts.map(\.json)),
        ]
    }
}
