import Foundation
import RandomSeeds

@testable import ContextCore

/// A random script over a store of clips: the changes, saves and rollbacks of two contexts in turns, with a log of the objects.
///
/// The same seed gives the same log on every store, with or without external storage. The script ends early if it needs an external value
/// that it has not read and that the other context has replaced or deleted.
struct ClipScript {
    /// The last line of the log of a script that ends early.
    static let end = "a value is gone"

    private let store: Store
    private let contexts: [ContextActor]
    private var random: SeededRandom
    /// The steps and the state of the objects after each step.
    private(set) var log: [String] = []

    init(_ store: Store, seed: UInt64) {
        self.store = store
        contexts = [store.makeBackgroundContext(name: "mine"), store.makeBackgroundContext(name: "theirs")]
        random = SeededRandom(seed: seed)
    }

    mutating func run(blocks: Int) async throws {
        let seed = random.next()
        try await store.write("build") { context in
            var block = ClipBlock(context, seed: seed)
            for _ in 0..<4 { try block.insert() }
        }
        for context in contexts { try await context.perform { $0.isUndoEnabled = true } }
        for number in 0..<blocks {
            let seed = random.next()
            log.append("block \(number)")
            log += try await contexts[number % 2].perform { context in
                var block = ClipBlock(context, seed: seed)
                block.run()
                return block.log
            }
            if log.last == Self.end { return }
            log += try await store.read("look") { try ClipBlock($0, seed: 0).lines() }
        }
        // The changes of a save have no defined order.
        for transaction in try await store.history() { log += transaction.changes.map(Self.text).sorted() }
    }

    private static func text(_ change: StoreTransaction.Change) -> String {
        "\(change.kind) \(change.entityName) \(change.objectID.key) \(change.changedProperties) \(change.tombstone)"
    }
}

/// The steps of one context before the other's turn.
private struct ClipBlock {
    private let context: ObjectContext
    private var random: SeededRandom
    private(set) var log: [String] = []

    init(_ context: ObjectContext, seed: UInt64) {
        self.context = context
        random = SeededRandom(seed: seed)
    }

    mutating func run() {
        let policies: [MergePolicy] = [.error, .storeWins, .objectWins, .overwrite, .rollback]
        context.mergePolicy = policies.randomElement(using: &random) ?? .error
        for _ in 0..<Int.random(in: 2...8, using: &random) {
            let number = Int.random(in: 0..<20, using: &random)
            do {
                try step(number)
                log.append("step \(number)")
                log += try lines()
            } catch let error as StoreError where Self.isOfGoneValue(error) {
                return log.append(ClipScript.end)
            } catch let error as StoreError {
                log.append("step \(number) refused: \(error.code) \(Self.conflicts(of: error))")
            } catch {
                log.append("step \(number) failed: \(error)")
            }
        }
    }

    /// Whether an external value was replaced or deleted since its object was fetched.
    private static func isOfGoneValue(_ error: StoreError) -> Bool {
        error.code == .objectNotFound || error.code == .conflict && error.conflicts.isEmpty
    }

    private mutating func step(_ number: Int) throws {
        switch number {
        case 0, 1: try insert()
        case 2...5: try change(context)
        case 6: if let clip = try chosen(context) { context.delete(clip) }
        case 7...10: try context.save()
        case 11: context.rollback()
        case 12: context.undo()
        case 13: context.redo()
        case 14: if let clip = try chosen(context) { context.refault(clip) }
        case 15:
            if let clip = try chosen(context) {
                try context.refresh(clip, mergeChanges: Bool.random(using: &random))
            }
        case 16:
            let child = context.makeChild()
            try change(child)
            try child.save()
        case 17:
            _ = try context.batchUpdate(
                "Clip", where: FetchPredicate("name < 'm'"), .set("image", to: data()),
                .set("text", to: text()))
        case 18:
            if let album = try context.fetch(try Self.request("Album", limit: 1)).first {
                context.delete(album)
            }
        default: try context.batchDelete("Clip", where: FetchPredicate("name < 'c'"))
        }
    }

    mutating func insert() throws {
        let album = try context.insert("Album")
        try album.set("name", to: name())
        for _ in 0..<2 {
            let clip = try context.insert("Clip")
            try clip.set("name", to: name())
            try clip.set("text", to: text())
            if Bool.random(using: &random) { try clip.set("image", to: data()) }
            try clip.set("album", to: album)
        }
    }

    private mutating func change(_ context: ObjectContext) throws {
        guard let clip = try chosen(context), !clip.isDeleted else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try clip.set("text", to: text())
        case 1: try clip.set("image", toStored: .null)
        case 2: try clip.set("name", to: name())
        default: try clip.set("image", to: data())
        }
    }

    // MARK: Reading

    /// Returns a line for each clip in the context.
    func lines() throws -> [String] {
        let lines = try context.fetch(try Self.request("Clip")).map { clip in
            "\(try clip["name"]) \(try clip["image"]) \(try clip["text"]) \(clip.changedPropertyNames.sorted())"
        }
        // A property that can't be read is null, and the context reports the error later.
        try context.graph.throwDeferredError()
        return lines
    }

    private mutating func chosen(_ context: ObjectContext) throws -> ManagedObject? {
        try context.fetch(try Self.request("Clip")).randomElement(using: &random)
    }

    private static func request(_ entity: String, limit: Int? = nil) throws -> FetchRequest<ManagedObject> {
        try FetchRequest(entityName: entity, order: [SortKey("name")], limit: limit)
    }

    private static func conflicts(of error: StoreError) -> [String] {
        error.conflicts.map { conflict in
            let properties = conflict.properties.map { property in
                // A conflict doesn't have an external value that was neither changed nor read.
                property.base == property.mine
                    ? "\(property.name): \(property.theirs)"
                    : "\(property.name): \(property.base), \(property.mine), \(property.theirs)"
            }
            return "\(conflict.entityName) \(conflict.objectID.key) \(conflict.kind) \(properties.sorted())"
        }.sorted()
    }

    // MARK: Random values

    private mutating func name() -> String {
        String(UInt32.random(in: .min ... .max, using: &random), radix: 36)
    }

    private mutating func text() -> String {
        String(repeating: "é", count: Int.random(in: 0...20, using: &random))
            + String(Int.random(in: 0..<9, using: &random))
    }

    private mutating func data() -> Data {
        Data(
            (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            })
    }
}
