#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

struct URLTests {
    private func configuration(_ text: String) throws -> SQLiteConfiguration {
        try SQLiteConfiguration(StoreURL(text))
    }

    @Test(arguments: [
        ("sqlite:games.sqlite", "games.sqlite"), ("sqlite:data/games.sqlite", "data/games.sqlite"),
        ("sqlite:/var/games.sqlite", "/var/games.sqlite"),
        ("sqlite:///var/games.sqlite", "/var/games.sqlite"),
        ("sqlite:a%20b.sqlite", "a b.sqlite"), ("sqlite:./x", "./x"),
    ])
    func `A URL names a file`(_ url: String, _ path: String) throws {
        #expect(try configuration(url).path == path)
    }

    @Test func `A misspelled in-memory store is no file name`() throws {
        let error = #expect(throws: StoreError.self) { try configuration("sqlite::memry:") }
        #expect(error?.code == .configuration)
        #expect(error?.remedy?.contains("sqlite::memory:") == true)
        #expect(try configuration("sqlite:./:odd").path == "./:odd")
    }

    @Test func `A file at the root is opened at the root`() throws {
        let folder = try TemporaryFolder()
        let url = try StoreURL("sqlite://\(folder.url.path)/store.sqlite")
        try SQLiteCoordinator(model: GamesModel.make(), SQLiteConfiguration(url)).close()
        #expect(FileIdentity(of: folder.url.path + "/store.sqlite") != nil)
    }

    @Test func `Two slashes mean a server, so the error shows both correct forms`() throws {
        let error = #expect(throws: StoreError.self) { try configuration("sqlite://games.sqlite") }
        #expect(error?.code == .configuration)
        #expect(error?.remedy?.contains("sqlite:games.sqlite ") == true)
        #expect(error?.remedy?.contains("sqlite:///games.sqlite ") == true)
    }

    @Test func `Settings are parsed, and wrong ones are reported`() throws {
        let all = try configuration(
            "sqlite:x?mode=rw&journal=delete&synchronous=extra&busy_timeout=250ms&history=off")
        #expect(
            all.mode == .write && all.journal == .delete && all.synchronous == .extra && !all.keepsHistory)
        #expect(all.busyTimeout == .milliseconds(250))
        #expect(try configuration("sqlite:x?busy_timeout=5s").busyTimeout == .seconds(5))
        #expect(try configuration("sqlite:x?busy_timeout=5000").busyTimeout == .seconds(5))
        let value = #expect(throws: StoreError.self) { try configuration("sqlite:x?synchronous=ful") }
        #expect(value?.remedy?.contains("Did you mean full?") == true)
        #expect(try configuration("sqlite:x?busy_timeout=5m").busyTimeout == .seconds(300))
        for text in ["-1s", "25h", "", "s", "ms", "1.5s", "9999999999s", "99999999999999999999"] {
            expectError(.configuration) {
                _ = try configuration("sqlite:x?busy_timeout=\(text)")
            }
        }
        expectError(.configuration) { _ = try configuration("sqlite::memory:?mode=ro") }
    }

    @Test func `An unknown key is rejected with a suggestion`() async throws {
        let error = await #expect(throws: StoreError.self) {
            try await Store.open(
                "sqlite:x.sqlite?busy_timeuot=5s", backends: [.sqlite], model: GamesModel.make())
        }
        #expect(error?.code == .configuration)
        #expect(error?.remedy?.contains("Did you mean busy_timeout?") == true)
        #expect(FileIdentity(of: "x.sqlite") == nil)
    }
}
#endif
