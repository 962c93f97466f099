import ContextCore

/// The user-defined objects, such as views and triggers, that would be dropped together with a store's tables.
enum UserObjectLosses {
    static let option = OptionDeclaration.option(
        "accept-loss", nil, "A,B", "The user-defined objects on the store's tables that may be dropped.")

    /// Throws if a user-defined object would be dropped and `--accept-loss` doesn't name it.
    static func check(_ call: CommandCall, _ inspector: any StoreInspector) throws {
        let objects = try (inspector as? any StoreMaintainer)?.userDefinedObjects() ?? []
        let accepted = try call.arguments.list("accept-loss") ?? []
        let left = objects.filter { !isNamed($0, among: accepted) }
        if left.isEmpty { return }
        throw AdminError.refused(
            (["user-defined objects would be dropped together with the store's tables:"] + left)
                .joined(separator: "\n  "),
            hint: "Add --accept-loss '\(left.joined(separator: ", "))', and recreate them afterward.")
    }

    /// Whether the values of the option name an object.
    ///
    /// The option is split at commas, which the object's name may contain.
    private static func isNamed(_ object: String, among accepted: [String]) -> Bool {
        let parts = object.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmingSpaces)
        return accepted.indices.contains { accepted[$0...].starts(with: parts) }
    }
}
