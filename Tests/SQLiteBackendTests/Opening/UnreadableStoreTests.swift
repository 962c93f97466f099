#if SQLite
import RandomSeeds
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// Errors about files that can't be opened as stores, which must stay unchanged.
struct UnreadableStoreTests {
    private func open(
        _ path: String, _ model: ObjectModel? = nil, mode: SQLiteConfiguration.Mode = .create
    ) throws {
        try SQLiteCoordinator(
            model: model ?? GamesModel.make(), SQLiteConfiguration(path: path, mode: mode)
        ).close()
    }

    /// Expects every way of opening a file to fail with a code, and to leave the file and its folder unchanged.
    private func expectRefusal(_ code: StoreError.Code, _ path: String, _ model: ObjectModel? = nil) throws {
        let url = URL(filePath: path)
        let before = try? Data(contentsOf: url)
        let folder = url.deletingLastPathComponent().path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        for mode in SQLiteConfiguration.Mode.allCases {
            let error = #expect(throws: StoreError.self) { try open(path, model, mode: mode) }
            #expect(error?.code == code, "\(mode): \(String(reflecting: error))")
            #expect(error?.remedy != nil)
        }
        #expect((try? Data(contentsOf: url)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names.sorted())
    }

    @Test func `A file that is no database is rejected`() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("text.sqlite")
        for size in [1, 99, 100, 5000] {
            try Data(repeating: 65, count: size).write(to: file)
            try expectRefusal(.notADatabase, file.path)
        }
    }

    @Test(arguments: ["delete", "wal"])
    func `Another program's database is rejected`(_ journal: String) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("other.sqlite").path
        try Data().write(to: URL(filePath: file))
        let other = try SQLiteConnection(path: file, access: .readAndWrite, timeout: .zero)
        _ = try other.text("PRAGMA journal_mode = \(journal)")
        try other.execute("CREATE TABLE game (title TEXT)")
        other.close()
        try expectRefusal(.notAStore, file)
    }

    @Test(arguments: ["UTF-16le", "UTF-16be"])
    func `A database that isn't in UTF-8 is rejected, even for adoption`(
        _ encoding: String
    )
        throws
    {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("wide.sqlite").path
        try Data().write(to: URL(filePath: file))
        let other = try SQLiteConnection(path: file, access: .readAndWrite, timeout: .zero)
        try other.execute("PRAGMA encoding = '\(encoding)'")
        try other.execute("CREATE TABLE game (title TEXT)")
        let adoption = StoreAdoption(model: try GamesModel.make(), configuration: .init(path: file))
        expectError(.configuration) { _ = try adoption.adopt() }
        try other.execute("PRAGMA user_version = \(StoreHeader.version(needsLog: false))")
        try other.execute("PRAGMA application_id = \(StoreHeader.applicationID)")
        other.close()
        try expectRefusal(.configuration, file)
    }

    /// Row S11 of the failure matrix: newer versions, older ones, and other models; another program's database is tested above.
    @Test func `A store of a newer version is rejected, and so is one of another model`() throws {
        let store = try TemporaryStore()
        store.coordinator.close()
        let connection = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .zero)
        for version in [2, 99] {
            try connection.execute("PRAGMA user_version = \(version)")
            try expectRefusal(.newerFormat, store.path)
        }
        for version in [0, -1] {
            try connection.execute("PRAGMA user_version = \(version)")
            try expectRefusal(.corrupt, store.path)
        }
        try connection.execute("PRAGMA user_version = 1")
        connection.close()
        let other = try ObjectModel(entities: [
            EntityDescription("Game", attributes: [AttributeDescription("name", .string)])
        ])
        try expectRefusal(.modelMismatch, store.path, other)
        try open(store.path)
    }

    @Test func `State that is only in the log is read on opening`() throws {
        let store = try TemporaryStore()
        try SavedGraphs(model: store.model).save(1, to: store.coordinator)
        let newer = try SQLiteConnection(path: store.path, access: .readAndWrite, timeout: .seconds(1))
        defer { newer.close() }
        try newer.execute("PRAGMA wal_autocheckpoint = 0")
        try newer.execute("PRAGMA user_version = 99")
        for mode in SQLiteConfiguration.Mode.allCases {
            expectError(.newerFormat, "\(mode)") { try open(store.path, mode: mode) }
        }
    }

    @Test func `A store that was killed during a checkpoint is complete`() throws {
        let store = try TemporaryStore()
        let graphs = SavedGraphs(model: store.model)
        for number in 1...40 { try graphs.save(number, to: store.coordinator) }
        let folder = try TemporaryFolder()
        let (killed, whole) = (
            folder.url.appendingPathComponent("killed.sqlite"),
            folder.url.appendingPathComponent("whole.sqlite")
        )
        for copy in [killed, whole] {
            for file in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: store.path + file, toPath: copy.path + file)
            }
        }
        try open(whole.path, store.model)
        // A checkpoint writes the first page, which contains the new size of the file, before the additional pages.
        var bytes = try Data(contentsOf: killed)
        let first = try Data(contentsOf: whole).prefix(4096)
        bytes.replaceSubrange(0..<4096, with: first)
        bytes[18] = 2
        bytes[19] = 2
        try bytes.write(to: killed)
        try open(killed.path, store.model)
        #expect(try SavedGraphs.verify(killed.path).count == 40)
    }

    @Test func `A missing file is an error, unless it may be created`() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("none.sqlite").path
        for mode in [SQLiteConfiguration.Mode.read, .write] {
            expectError(.storeNotFound) { try open(path, mode: mode) }
        }
        try Data().write(to: URL(filePath: path))
        for mode in [SQLiteConfiguration.Mode.read, .write] {
            expectError(.storeNotFound) { try open(path, mode: mode) }
        }
        try open(path)
        try open(path, mode: .read)
        expectError(.storeNotFound) { try open(folder.url.path + "/no/none.sqlite") }
        // In a nested folder, since other tests create files in the outer one.
        let inner = folder.url.appendingPathComponent("folder.sqlite")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        try expectRefusal(.notAStore, inner.path)
        let link = folder.url.appendingPathComponent("link.sqlite").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try expectRefusal(.notAStore, link)
    }

    @Test func `A new store and its log are readable by their owner only`() throws {
        let store = try TemporaryStore()
        try SavedGraphs(model: store.model).save(1, to: store.coordinator)
        for file in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: store.path + file)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
        }
    }

    @Test
    func `A damaged page is an error when it is read, and a restored one is complete`() throws {
        let store = try TemporaryStore()
        let graphs = SavedGraphs(model: store.model)
        for number in 1...30 { try graphs.save(number, to: store.coordinator) }
        store.coordinator.close()
        let url = URL(filePath: store.path)
        let sound = try Data(contentsOf: url)
        let root = try SQLiteConnection(path: store.path, access: .read, timeout: .zero)
        let page = try #require(
            try root.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'player' AND type = 'table'"))
        root.close()
        var damaged = sound
        let start = Int(page - 1) * 4096
        damaged.replaceSubrange(start..<start + 4096, with: Data(repeating: 0xAB, count: 4096))
        try damaged.write(to: url)
        try store.reopen()
        let player = try store.model.index("Player")
        let error = #expect(throws: StoreError.self) {
            try store.read { _ = try $0.fetch(FetchPlan(entityIndex: player)) }
        }
        #expect(error?.code == .corrupt)
        #expect(error?.remedy?.contains("backup") == true)
        let game = try store.model.index("Game")
        #expect(try store.read { try $0.fetch(FetchPlan(entityIndex: game)).count } == 30)
        store.coordinator.close()
        try sound.write(to: url)
        #expect(try SavedGraphs.verify(store.path).count == 30)
    }

    /// Row S10 of the failure matrix.
    ///
    /// The log has checksums: frames after a flipped bit are ignored.
    @Test func `Flipped bits in the log lose complete saves at its end at worst`() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        let store = try TemporaryStore()
        let graphs = SavedGraphs(model: store.model)
        for number in 1...8 { try graphs.save(number, to: store.coordinator) }
        let folder = try TemporaryFolder()
        let copy = folder.url.appendingPathComponent("copy.sqlite").path
        let main = try Data(contentsOf: URL(filePath: store.path))
        let log = try Data(contentsOf: URL(filePath: store.path + "-wal"))
        var found: Set<Int> = []
        for round in 0..<150 {
            var damaged = log
            if round % 10 == 0 {
                damaged = damaged.prefix(Int.random(in: 1..<log.count, using: &random))
            } else {
                damaged[Int.random(in: 0..<log.count, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
            }
            try main.write(to: URL(filePath: copy))
            try damaged.write(to: URL(filePath: copy + "-wal"))
            do {
                try open(copy, store.model)
            } catch let error as StoreError {
                // The damage may reach back to before the store was created.
                #expect(error.remedy != nil, "seed \(seed), round \(round)")
                try removeFiles(copy)
                continue
            }
            let graphs = try SavedGraphs.verify(copy, "seed \(seed), round \(round)")
            #expect(graphs == Set((1...8).prefix(graphs.count)), "seed \(seed), round \(round)")
            found.insert(graphs.count)
            try removeFiles(copy)
        }
        #expect(found.count > 3)
    }

    private func removeFiles(_ path: String) throws {
        for suffix in ["", "-wal", "-shm"] where FileIdentity(of: path + suffix) != nil {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    /// Row S10 of the failure matrix.
    @Test func `Flipped bits and truncated files are errors at worst`() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        let store = try TemporaryStore()
        let graphs = SavedGraphs(model: store.model)
        for number in 1...5 { try graphs.save(number, to: store.coordinator) }
        store.coordinator.close()
        let url = URL(filePath: store.path)
        let sound = try Data(contentsOf: url)
        for round in 0..<300 {
            var damaged = sound
            if round % 10 == 0 {
                damaged = damaged.prefix(Int.random(in: 1..<sound.count, using: &random))
            } else {
                let place = Int.random(in: 0..<(round % 2 == 0 ? 4096 : sound.count), using: &random)
                damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            try damaged.write(to: url)
            do {
                let coordinator = try SQLiteCoordinator(
                    model: store.model, SQLiteConfiguration(path: store.path))
                defer { coordinator.close() }
                let session = try coordinator.openReadSession(SessionOptions(identifier: "test"))
                defer { session.end() }
                for layout in store.model.layouts {
                    let rows = try session.fetch(FetchPlan(entityIndex: layout.index))
                    for row in 0..<rows.count {
                        for column in layout.columns.indices { _ = rows.value(column, at: row) }
                    }
                }
            } catch is StoreError {
                continue
            } catch {
                Issue.record("seed \(seed), round \(round): \(error)")
            }
        }
    }
}
#endif
