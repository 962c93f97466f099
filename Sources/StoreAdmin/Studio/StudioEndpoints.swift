import ContextCore
import LoopbackServer

/// A request for an endpoint that runs no command.
struct StudioCall: Sendable {
    let commands: StudioCommands
    let access: StudioAccess
    let canWrite: Bool
    let target: RequestTarget

    /// Returns the only value of a query item; nil if there is none.
    func value(_ name: String) throws(AdminError) -> String? {
        let values = target.values(of: name)
        if values.count > 1 { throw .usage("the address has two values of “\(name)”.") }
        return values.first
    }

    /// Returns the only value of a query item.
    func required(_ name: String) throws(AdminError) -> String {
        if let value = try value(name) { return value }
        throw .usage("the address needs “\(name)”.")
    }
}

/// The documents for the page that no command prints.
enum StudioEndpoints {
    typealias Endpoint = @Sendable (StudioCall) throws -> Report

    /// The endpoints by their paths.
    static let all: [String: Endpoint] = ["/api/studio": studio, "/api/complete": complete]

    /// Returns the store, the version of the tool, and whether the page may change objects.
    private static func studio(_ call: StudioCall) throws -> Report {
        let tool = call.commands.tool
        return Report(
            "studio",
            [
                "store": try call.commands.store().json, "canWrite": .bool(call.canWrite),
                "version": .string(StoreAdmin.packageVersion), "tool": .string(tool.name),
                "token": call.canWrite ? .string(call.access.changeToken.text) : .null,
            ]
        ) { _ in "" }
    }

    /// Returns the completions of the word before a position in a predicate or an order.
    private static func complete(_ call: StudioCall) throws -> Report {
        let text = try call.value("text") ?? ""
        guard let position = try call.value("position").map(Int.init) ?? text.utf16.count,
            let clause = PredicateCompletion.Clause(rawValue: try call.value("clause") ?? "where")
        else {
            throw AdminError.usage(
                "“position” takes a number, and “clause” takes where or order.",
                hint: "Leave them out for the end of a predicate.")
        }
        let completion = PredicateCompletion(
            request: try call.required("request"), text: text, position: position, clause: clause,
            model: try call.commands.store().model())
        return Report("complete", completion.json) { _ in "" }
    }
}
