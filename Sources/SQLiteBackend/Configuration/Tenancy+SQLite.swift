#if SQLite
import ContextCore
import Foundation

extension StoreBackend.Tenancy {
    /// A file for each tenant, beside the file that the address names.
    static let files = StoreBackend.Tenancy(
        address: { shared, tenant in
            if shared.path == ":memory:" { return shared }
            return shared.replacingPath(TenantFiles(shared).path(of: tenant))
        },
        tenants: { shared in
            shared.path == ":memory:" ? [] : try TenantFiles(shared).tenants()
        })
}

/// The files of an address's tenants: of `games.sqlite` they are called `games.acme.sqlite`.
private struct TenantFiles {
    private let folder: String
    private let start: String
    private let end: String

    init(_ shared: StoreURL) {
        let parts = shared.path.split(separator: "/", omittingEmptySubsequences: false)
        let name = parts.last.map(String.init) ?? ""
        let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        folder = parts.dropLast().map { $0 + "/" }.joined()
        start = name[..<dot] + "."
        // An end of its own tells a tenant's file from the log that SQLite keeps beside another's.
        end = dot == name.endIndex ? ".sqlite" : String(name[dot...])
    }

    func path(of tenant: String) -> String { folder + start + tenant + end }

    func tenants() throws -> [String] {
        let path = folder.isEmpty ? "." : folder
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path).compactMap { name in
            guard name.hasPrefix(start), name.hasSuffix(end), name.count > start.count + end.count else {
                return nil
            }
            let tenant = String(name.dropFirst(start.count).dropLast(end.count))
            return StoreBackend.isTenantName(tenant) ? tenant : nil
        }.sortedByBytes { $0 }
    }
}
#endif
