import ContextCore

/// What others have made on a store's tables, and would go with them.
enum OthersThings {
    static let option = OptionDeclaration.option(
        "accept-loss", nil, "A,B", "What others have made on the store's tables and may go, as it is called.")

    /// Names what would go, unless all of it is accepted.
    static func check(_ call: CommandCall, _ inspector: any StoreInspector) throws {
        let things = try (inspector as? any StoreMaintainer)?.dependents() ?? []
        let accepted = try call.arguments.list("accept-loss") ?? []
        let left = things.filter { !isNamed($0, among: accepted) }
        if left.isEmpty { return }
        throw AdminError.refused(
            (["others have made something on the store's tables that would go with them:"] + left)
                .joined(separator: "\n  "),
            hint: "Make it anew afterwards, and add --accept-loss '\(left.joined(separator: ", "))'.")
    }

    /// A name may have commas of its own, between which the words of an option are.
    private static func isNamed(_ thing: String, among accepted: [String]) -> Bool {
        let parts = thing.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmingSpaces)
        return accepted.indices.contains { accepted[$0...].starts(with: parts) }
    }
}
