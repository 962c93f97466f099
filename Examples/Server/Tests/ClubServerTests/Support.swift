import ContextCore
import Foundation
import Hummingbird
import HummingbirdTesting
import Model
import Testing

@testable import ClubServer

/// Runs a test against the routes over a store, by default an empty one in memory.
func serve(
    _ store: Store? = nil, _ test: @Sendable (any TestClientProtocol) async throws -> Void
) async throws {
    let store = try store ?? Store.inMemory(clubModel)
    try await makeApplication(store).test(.router, test)
}

extension TestClientProtocol {
    func get(_ path: String) async throws -> TestResponse { try await execute(uri: path, method: .get) }

    func delete(_ path: String) async throws -> TestResponse {
        try await execute(uri: path, method: .delete)
    }

    func post(_ path: String, _ json: String) async throws -> TestResponse {
        try await execute(uri: path, method: .post, body: ByteBuffer(string: json))
    }

    func patch(_ path: String, _ json: String) async throws -> TestResponse {
        try await execute(uri: path, method: .patch, body: ByteBuffer(string: json))
    }

    /// Adds a member, and returns its number.
    func addMember(_ name: String) async throws -> Int {
        try await post("/members", #"{"name": "\#(name)"}"#).decode(MemberJSON.self).id
    }
}

extension TestResponse {
    var text: String { String(buffer: body) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

struct MemberJSON: Decodable {
    let id: Int
    let name: String
}

struct MemberPage: Decodable {
    let objects: [MemberJSON]
    let next: String?
}

struct TournamentJSON: Decodable, Equatable {
    let entries: [Int]
    let games: [Int]
}

struct EntryJSON: Decodable {
    let member: Int
    let score: Double
}

struct ErrorResponse: Decodable {
    struct Details: Decodable {
        struct Failure: Decodable {
            let property: String?
        }

        let code: String
        let failures: [Failure]?
    }

    let error: Details
}
