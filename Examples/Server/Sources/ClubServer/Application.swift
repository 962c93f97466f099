import ContextCore
import Foundation
import Hummingbird
import Logging
import Model

/// Makes the application that serves a club's store, and closes the store after it has answered its last request.
func makeApplication(
    _ store: Store, address: BindAddress = .hostname(), logger: Logger = Logger(label: "club-server")
) async throws -> some ApplicationProtocol {
    let club = try await Club(store: store)
    let router = Router(context: ClubRequestContext.self)
    // Hooks: without a tracer and a metrics backend, these two do nothing.
    router.add(middleware: TracingMiddleware(redactingQueryParameters: ["after"]))
    router.add(middleware: MetricsMiddleware())
    router.add(middleware: RequestLog())
    router.get("health") { _, _ -> [String: String] in
        _ = try await store.read("health") { try $0.fetchIDs(Tournament.self, limit: 1) }
        return ["status": "ok"]
    }
    MemberRoutes(club: club).add(to: router.group("members"))
    TournamentRoutes(club: club).add(to: router.group("tournaments"))
    GameRoutes(club: club).add(to: router.group("games"))
    return Application(
        router: router, configuration: ApplicationConfiguration(address: address),
        services: [StoreService(store: store)], logger: logger)
}

/// The context of a request, with small bodies and sorted keys.
struct ClubRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: Source) { coreContext = .init(source: source) }

    var maxUploadSize: Int { 64 * 1024 }
    var responseEncoder: JSONEncoder { .sorted }
}

extension JSONEncoder {
    /// An encoder whose output is the same each time, and has no line breaks.
    static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
