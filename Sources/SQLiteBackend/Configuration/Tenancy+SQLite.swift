#if SQLite
import ContextCore
import Foundation

extension StoreBackend.Tenancy {
    /// Stores each tenant in a file beside the file of the address.
    static let files: StoreBackend.Tenancy = {
        var tenancy = StoreBackend.Tenancy(
            address: { shared, tenant in
                if shared.path == ":memory:" { return shared }
                return shared.replacingPath(TenantFiles(shared).path(of: tenant))
            },
            tenants: { shared in
                shared.path == ":memory:" ? [] : try TenantFiles(shared).tenants()
            })
        tenancy.name = { url, shared in
            let file = url.path.split(separator: "/").last.map(String.init) ?? ""
            return shared.path == ":memory:" ? nil : TenantFiles(shared).tenant(of: file)
        }
        return tenancy
    }()
}

/// The files of an address's tenants, such as `games.acme.sqlite` for the address `games.sqlite`.
private struct TenantFiles {
    private let folder: String
    private let namePrefix: String
    private let nameSuffix: String

    init(_ shared: StoreURL) {
        let parts = shared.path.split(separator: "/", omittingEmptySubsequences: false)
        let name = parts.last.map(String.init) ?? ""
        let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        folder = parts.dropLast().map { $0 + "/" }.joined()
        namePrefix = name[..<dot] + "."
        // The extension distinguishes a tenant's file from the log that SQLite keeps beside another file.
        nameSuffix = dot == name.endIndex ? ".sqlite" : String(name[dot...])
    }

    func path(of tenant: String) -> String { folder + namePrefix + tenant + nameSuffix }

    func tenants() throws -> [String] {
        try names().compactMap(tenant).sortedByBytes { $0 }
    }

    /// Returns the tenant in a file's name, or nil if the file can't be a tenant's.
    func tenant(of name: String) -> String? {
        guard name.hasPrefix(namePrefix), name.hasSuffix(nameSuffix),
            name.count > namePrefix.count + nameSuffix.count
        else {
            return nil
        }
        let tenant = String(name.dropFirst(namePrefix.count).dropLast(nameSuffix.count))
        return StoreBackend.isTenantName(tenant) ? tenant : nil
    }

    /// Returns the names of the folder's files, or an empty array if there is no folder.
    private func names() throws(StoreError) -> [String] {
        let path = folder.isEmpty ? "." : folder
        guard let handle = opendir(path) else {
            let code = errno
            if code == ENOENT { return [] }
            throw StoreError(
                code == EACCES ? .accessDenied : .inputOutput,
                "The folder “\(path)” can't be read: \(String(cString: strerror(code))).",
                remedy: "Check the path and the permissions of the folder.")
        }
        closedir(handle)
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw StoreError(
                .inputOutput, "The folder “\(path)” can't be read.", remedy: "Check the disk.", cause: error)
        }
    }
}
#endif
