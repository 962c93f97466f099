import ContextCore
import Foundation

/// Selects tenants of an address by the options `--only` and `--from`.
struct FleetSelection: Sendable {
    static let options: [OptionDeclaration] = [
        .option(
            "only", nil, "PATTERN",
            "Selects tenants by name or pattern: acme, 'a*', 'team-[1-3]'. Can be repeated."),
        .option("from", nil, "NAME", "Skips the tenants whose names sort before NAME."),
    ]

    /// Shell patterns, as `fnmatch` defines them; if empty, every tenant matches.
    var patterns: [String] = []
    /// The name at which the selection starts; there may be no tenant with this name.
    var first: String?

    /// Returns the selected tenants, in the given order.
    ///
    /// - Throws: ``AdminError`` if a pattern matches no tenant, or if no tenant is selected, so that a script with a misspelled name fails.
    func selected(from tenants: [String]) throws(AdminError) -> [String] {
        for pattern in patterns where !tenants.contains(where: { Self.matches($0, pattern) }) {
            let near = Spelling.nearest(to: pattern, among: tenants).map { "Did you mean \($0)?" }
            throw Self.noTenantError("no tenant's name matches “\(pattern)”.", hint: near)
        }
        let selected = tenants.filter { name in
            let isNamed = patterns.isEmpty || patterns.contains { Self.matches(name, $0) }
            return isNamed && !(first.map { name.utf8.lexicographicallyPrecedes($0.utf8) } ?? false)
        }
        if let first, selected.isEmpty {
            throw Self.noTenantError(
                "no selected tenant has a name that sorts at or after “\(first)”.", hint: nil)
        }
        return selected
    }

    private static func matches(_ name: String, _ pattern: String) -> Bool { fnmatch(pattern, name, 0) == 0 }

    private static func noTenantError(_ message: String, hint: String?) -> AdminError {
        AdminError(
            code: "SC3011", exit: .inputMissing, message: message,
            hint: hint ?? "Run 'storectl fleet list' to list the tenants.")
    }
}

extension FleetSelection {
    init(_ arguments: ParsedArguments) {
        self.init(patterns: arguments.values["only"] ?? [], first: arguments["from"])
    }

    /// Returns the selected tenants at the address of a store.
    func tenants(of store: AdministeredStore) throws -> [String] {
        try selected(from: store.backend.tenants(at: store.url))
    }
}
