import ContextCore
import Foundation

/// Chooses among the tenants of an address.
struct FleetSelection: Sendable {
    static let options: [OptionDeclaration] = [
        .option(
            "only", nil, "PATTERN",
            "Only tenants with such names: acme, 'a*', 'team-[1-3]'; may be given several times."),
        .option("from", nil, "NAME", "Leaves out the tenants whose names sort before this one."),
    ]

    /// Patterns as shells have them for the names of files; all tenants where there are none.
    var patterns: [String] = []
    /// The first name, whether a tenant has it or not.
    var first: String?

    /// The chosen ones of some tenants, in the same order.
    ///
    /// - Throws: ``AdminError`` for a pattern that no tenant's name matches, and where no tenant is left: a script that means a tenant must
    ///   not take a misspelled name for success.
    func chosen(from tenants: [String]) throws(AdminError) -> [String] {
        for pattern in patterns where !tenants.contains(where: { Self.matches($0, pattern) }) {
            let near = Spelling.nearest(to: pattern, among: tenants).map { "Did you mean \($0)?" }
            throw Self.missing("no tenant's name matches “\(pattern)”.", hint: near)
        }
        let chosen = tenants.filter { name in
            let isNamed = patterns.isEmpty || patterns.contains { Self.matches(name, $0) }
            return isNamed && !(first.map { name.utf8.lexicographicallyPrecedes($0.utf8) } ?? false)
        }
        if let first, chosen.isEmpty {
            throw Self.missing("no tenant that was asked for has a name from “\(first)” on.", hint: nil)
        }
        return chosen
    }

    private static func matches(_ name: String, _ pattern: String) -> Bool { fnmatch(pattern, name, 0) == 0 }

    private static func missing(_ message: String, hint: String?) -> AdminError {
        AdminError(
            code: "SC3011", exit: .inputMissing, message: message,
            hint: hint ?? "Run 'storectl fleet list' for the tenants that there are.")
    }
}

extension FleetSelection {
    init(_ arguments: ParsedArguments) {
        self.init(patterns: arguments.values["only"] ?? [], first: arguments["from"])
    }

    /// The chosen tenants of the address that a store has.
    func tenants(of store: AdministeredStore) throws -> [String] {
        try chosen(from: store.backend.tenants(at: store.url))
    }
}
