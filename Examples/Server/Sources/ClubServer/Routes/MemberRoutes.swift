import ContextCore
import Hummingbird
import Model

/// Creates, reads, changes and deletes members.
struct MemberRoutes: Sendable {
    let club: Club

    func add(to group: RouterGroup<ClubRequestContext>) {
        group.get(use: list)
        group.post(use: create)
        group.get("events", use: events)
        group.get(":id", use: show)
        group.patch(":id", use: update)
        group.delete(":id", use: delete)
    }

    /// Lists the members by name, a page at a time; `minRating` selects the strong ones.
    private func list(_ request: Request, _ context: ClubRequestContext) async throws -> Page<Member> {
        let query = try PageQuery(request)
        let parameters = request.uri.queryParameters
        let minimum = try parameters.has("minRating") ? parameters.require("minRating", as: Int.self) : 0
        let members = try await club.store.read("list members") { context in
            try context.fetch(
                Member.self, where: \.name > query.after && \.rating >= minimum, order: .ascending(\.name),
                limit: query.limit + 1
            ).map { $0.snapshot() }
        }
        return Page(members, query) { $0.name }
    }

    private func create(
        _ request: Request, _ context: ClubRequestContext
    ) async throws -> EditedResponse<SnapshotBody<Member>> {
        let new = try await request.decode(as: NewMember.self, context: context)
        let member = try await club.store.write("add member") { context in
            let member = Member(in: context, name: new.name, rating: new.rating ?? 1200)
            try context.save()
            return member.snapshot()
        }
        return EditedResponse(
            status: .created, headers: [.location: "/members/\(member.objectID.number)"],
            response: SnapshotBody(member))
    }

    private func show(
        _ request: Request, _ context: ClubRequestContext
    ) async throws -> SnapshotBody<Member> {
        let id = try club.id(of: Member.self, in: context)
        return SnapshotBody(
            try await club.store.read("member") { try $0.existing(Member.self, id).snapshot() })
    }

    private func update(
        _ request: Request, _ context: ClubRequestContext
    ) async throws -> SnapshotBody<Member> {
        let id = try club.id(of: Member.self, in: context)
        let changes = try await request.decode(as: MemberChanges.self, context: context)
        let member = try await club.store.write("change member") { context in
            let member = try context.existing(Member.self, id)
            if let name = changes.name { member.name = name }
            if let rating = changes.rating { member.rating = rating }
            return member.snapshot()
        }
        return SnapshotBody(member)
    }

    private func delete(
        _ request: Request, _ context: ClubRequestContext
    ) async throws -> HTTPResponse.Status {
        let id = try club.id(of: Member.self, in: context)
        try await club.store.write("delete member") { context in
            context.delete(try context.existing(Member.self, id))
        }
        return .noContent
    }

    /// Sends the 100 strongest members, and then each change of their list.
    private func events(_ request: Request, _ context: ClubRequestContext) async throws -> Response {
        Response(events: ListEvents(rows: try await followStrongest()), to: request)
    }

    /// Follows the list of the 100 strongest members.
    func followStrongest() async throws -> ResultsRows<Member> {
        try await club.lists.perform { context in
            context.automaticallyMergesChanges = true
            return try FetchedResultsController(
                Member.self, order: .descending(\.rating), .ascending(\.name), window: 0..<100, in: context
            ).rows()
        }
    }
}

/// The body of a request that adds a member.
private struct NewMember: Decodable, Sendable {
    let name: String
    let rating: Int?
}

/// The body of a request that changes a member; what it lacks stays.
private struct MemberChanges: Decodable, Sendable {
    let name: String?
    let rating: Int?
}
