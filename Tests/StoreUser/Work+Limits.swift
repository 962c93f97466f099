import ContextCore
import Foundation

/// Work under limits of the operating system, with a line of output for each result.
extension Work {
    /// Opens and closes the store many times, and prints the number of open files before and afterwards.
    func openAndClose() async throws {
        try await useOnce()
        say("\(try openFiles())")
        for _ in 0..<count { try await useOnce() }
        say("\(try openFiles())")
    }

    private func useOnce() async throws {
        let store = try await open()
        try await store.write("save") { context in _ = Player(in: context, name: name) }
        _ = try await store.read("count") { try $0.count(Player.self) }
        await store.close()
    }

    private func openFiles() throws -> Int {
        #if os(Linux)
        let folder = "/proc/self/fd"
        #else
        let folder = "/dev/fd"
        #endif
        return try FileManager.default.contentsOfDirectory(atPath: folder).count
    }

    /// Uses the store while no further file can be opened.
    func runOutOfFiles() async throws {
        let store = try await open()
        try await save("before", to: store)
        var limit = rlimit()
        getrlimit(Self.openFilesLimit, &limit)
        let usual = limit
        // Open files stay open.
        limit.rlim_cur = 1
        setrlimit(Self.openFilesLimit, &limit)
        await attempt("open") { _ = try await open() }
        // A second reader needs another connection, which isn't open yet.
        let first = Task {
            try await store.read("first") { context in
                _ = try context.count(Player.self)
                usleep(400_000)
            }
        }
        try await Task.sleep(for: .milliseconds(100))
        await attempt("read") { _ = try await store.read("count") { try $0.count(Player.self) } }
        try await first.value
        var limited = usual
        setrlimit(Self.openFilesLimit, &limited)
        await attempt("read again") { _ = try await store.read("count") { try $0.count(Player.self) } }
        try await save("after", to: store)
        say("\(try await store.read("count") { try $0.count(Player.self) })")
        await store.close()
    }

    /// Saves while no file can grow.
    func outgrowTheLimit() async throws {
        signal(SIGXFSZ, SIG_IGN)
        let store = try await open()
        try await save("before", to: store)
        var limit = rlimit()
        getrlimit(Self.fileSizeLimit, &limit)
        let usual = limit
        limit.rlim_cur = 1 << 16
        setrlimit(Self.fileSizeLimit, &limit)
        for number in 0..<3 {
            await attempt("save") {
                try await store.write("save") { context in
                    for index in 0..<5000 { _ = Player(in: context, name: "great \(number)", score: index) }
                }
            }
        }
        await attempt("read") { _ = try await store.read("count") { try $0.count(Player.self) } }
        var limited = usual
        setrlimit(Self.fileSizeLimit, &limited)
        try await save("after", to: store)
        say("\(try await store.read("count") { try $0.count(Player.self) })")
        await store.close()
    }

    private func save(_ name: String, to store: Store) async throws {
        try await store.write("save") { context in _ = Player(in: context, name: name) }
    }

    private func attempt(_ name: String, _ body: () async throws -> Void) async {
        do {
            try await body()
            say("\(name): done")
        } catch let error as StoreError {
            say("\(name): \(error.code)\(error.remedy == nil ? " without a remedy" : "")")
        } catch {
            say("\(name): \(error)")
        }
    }

    #if canImport(Glibc)
    private static let openFilesLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    private static let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
    private static let openFilesLimit = RLIMIT_NOFILE
    private static let fileSizeLimit = RLIMIT_FSIZE
    #endif
}
