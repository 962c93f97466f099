import ContextCore
import Foundation
import SQLiteBackend
import StoreConformance

/// A kind of store under test, and the cases that it is known to fail.
///
/// A backend joins by one more value in ``all``.
struct Subject: Sendable, CustomStringConvertible {
    let fixture: StoreFixture
    /// What the kind of store can't do yet: names of cases, each with the reason.
    ///
    /// They run all the same, and fail the test as soon as they pass.
    var knownGaps: [String: String] = [:]

    var description: String { fixture.name }

    static let all: [Subject] = [memory, sqliteFile, sqliteMemory]

    static let memory = Subject(
        fixture: StoreFixture(name: "memory", capabilities: [.history]) { _, model in
            InMemoryCoordinator(model: model)
        })

    static let sqliteFile = Subject(
        fixture: StoreFixture(
            name: "SQLite file", capabilities: [.persistent, .sharedByProcesses, .history]
        ) { place, model in
            let folder = folder(of: place)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let path = folder.appendingPathComponent("store.sqlite").path
            return try SQLiteCoordinator(
                model: model, SQLiteConfiguration(path: path, synchronous: .off, busyTimeout: .seconds(10)))
        } remove: { place in
            try FileManager.default.removeItem(at: folder(of: place))
        }, knownGaps: KnownGaps.sqlite)

    static let sqliteMemory = Subject(
        fixture: StoreFixture(name: "SQLite memory", capabilities: [.history]) { _, model in
            try SQLiteCoordinator(model: model, SQLiteConfiguration(path: nil))
        }, knownGaps: KnownGaps.sqlite)

    private static func folder(of place: String) -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent(place)
    }
}
