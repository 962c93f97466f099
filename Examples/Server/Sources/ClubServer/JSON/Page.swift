import ContextCore
import Foundation
import Hummingbird

/// The part of a list that a request asks for: up to `limit` objects after the one with the key `after`.
struct PageQuery: Sendable {
    let limit: Int
    /// Empty for the first page.
    let after: String
    private let url: String

    init(_ request: Request) throws {
        let parameters = request.uri.queryParameters
        limit = try parameters.has("limit") ? parameters.require("limit", as: Int.self) : 50
        guard (1...200).contains(limit) else {
            throw HTTPError(.badRequest, message: "The limit must be from 1 to 200.")
        }
        after = parameters.get("after") ?? ""
        url = request.uri.string
    }

    /// Returns the address of the page after the object with a key.
    func next(after key: String) -> String? {
        var components = URLComponents(string: url)
        let others = components?.queryItems?.filter { $0.name != "after" } ?? []
        components?.queryItems = [URLQueryItem(name: "after", value: key)] + others
        return components?.string
    }
}

/// A page of a list, and the address of the next one; nil after the last.
struct Page<Object: ManagedObject>: ResponseEncodable {
    let objects: [SnapshotBody<Object>]
    let next: String?

    /// Makes a page of up to `query.limit + 1` objects, of which the last only shows that there is a next page.
    init(
        _ snapshots: [EntitySnapshot<Object>], _ query: PageQuery,
        key: (EntitySnapshot<Object>) -> String
    ) {
        objects = snapshots.prefix(query.limit).map { SnapshotBody($0) }
        next = snapshots.count > query.limit ? query.next(after: key(snapshots[query.limit - 1])) : nil
    }
}
