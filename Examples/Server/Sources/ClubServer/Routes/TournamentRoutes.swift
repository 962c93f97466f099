import ContextCore
import Hummingbird
import Model

/// Creates, reads and deletes tournaments, and lists their standings.
struct TournamentRoutes: Sendable {
    let club: Club

    func add(to group: RouterGroup<ClubRequestContext>) {
        group.get(use: list)
        group.post(use: create)
        group.get(":id", use: show)
        group.delete(":id", use: delete)
        group.get(":id/standings", use: standings)
        group.get(":id/standings/events", use: events)
    }

    /// Lists the tournaments by name, a page at a time.
    private func list(_ request: Request, _ context: ClubRequestContext) async throws -> Page<Tournament> {
        let query = try PageQuery(request)
        let tournaments = try await club.store.read("list tournaments") { context in
            try context.fetch(
                Tournament.self, where: \.name > query.after, order: .ascending(\.name),
                limit: query.limit + 1
            ).map { $0.snapshot() }
        }
        return Page(tournaments, query) { $0.name }
    }

    /// Saves a tournament with its entries and games: all of them or, if any is invalid, none.
    private func create(
        _ request: Request, _ context: ClubRequestContext
    ) async throws -> EditedResponse<SnapshotBody<Tournament>> {
        let new = try await request.decode(as: NewTournament.self, context: context)
        guard (2...64).contains(new.members.count) else {
            throw HTTPError(.unprocessableContent, message: "A tournament has from 2 to 64 members.")
        }
        let ids = try new.members.map { try club.id($0, of: Member.self) }
        let tournament = try await club.store.write("add tournament") { context in
            let members = try ids.map { try context.existing(Member.self, $0) }
            let tournament = Tournament.pair(members, named: new.name, in: context)
            try context.save()
            return tournament.snapshot()
        }
        return EditedResponse(
            status: .created, headers: [.location: "/tournaments/\(tournament.objectID.number)"],
            response: SnapshotBody(tournament, with: ["entries", "games"]))
    }

    private func show(
        _ request: Request, _ context: ClubRequestContext
    ) async throws -> SnapshotBody<Tournament> {
        let id = try club.id(of: Tournament.self, in: context)
        let tournament = try await club.store.read("tournament") { context in
            let tournament = try context.existing(Tournament.self, id)
            // A snapshot has the members of the relationships that are loaded.
            _ = (tournament.entries.count, tournament.games.count)
            return tournament.snapshot()
        }
        return SnapshotBody(tournament, with: ["entries", "games"])
    }

    private func delete(
        _ request: Request, _ context: ClubRequestContext
    ) async throws -> HTTPResponse.Status {
        let id = try club.id(of: Tournament.self, in: context)
        try await club.store.write("delete tournament") { context in
            context.delete(try context.existing(Tournament.self, id))
        }
        return .noContent
    }

    private func standings(
        _ request: Request, _ context: ClubRequestContext
    ) async throws -> [SnapshotBody<Entry>] {
        let id = try club.id(of: Tournament.self, in: context)
        return try await club.store.read("standings") { context in
            let tournament = try context.existing(Tournament.self, id)
            return try context.fetch(
                Entry.self, where: \.tournament == tournament, order: .descending(\.score),
                .ascending(\.member.name)
            ).map { SnapshotBody($0.snapshot()) }
        }
    }

    /// Sends the standings, and then each change of them.
    private func events(_ request: Request, _ context: ClubRequestContext) async throws -> Response {
        let id = try club.id(of: Tournament.self, in: context)
        return Response(events: ListEvents(rows: try await followStandings(of: id)), to: request)
    }

    /// Follows the list of a tournament's entries, the best first.
    func followStandings(of id: ObjectID) async throws -> ResultsRows<Entry> {
        try await club.lists.perform { context in
            context.automaticallyMergesChanges = true
            let tournament = try context.existing(Tournament.self, id)
            return try FetchedResultsController(
                Entry.self, where: \.tournament == tournament, order: .descending(\.score),
                .ascending(\.member.name), in: context
            ).rows()
        }
    }
}

/// The body of a request that adds a tournament.
private struct NewTournament: Decodable, Sendable {
    let name: String
    /// The numbers of the members.
    let members: [Int64]
}

extension Tournament {
    /// Makes a tournament in which each member plays each other one.
    fileprivate static func pair(
        _ members: [Member], named name: String, in context: ObjectContext
    ) -> Tournament {
        let tournament = Tournament(in: context, name: name)
        let entries = members.map { Entry(in: context, member: $0, tournament: tournament) }
        for (index, white) in entries.enumerated() {
            for black in entries[(index + 1)...] {
                tournament.games.append(
                    Game(in: context, white: white, black: black, tournament: tournament))
            }
        }
        return tournament
    }
}
