import ContextCore
import Foundation
import Hummingbird
import HummingbirdTesting
import Model
import Testing

@testable import ClubServer

struct MemberRouteTests {
    @Test func `A member is created, read, changed and deleted`() async throws {
        try await serve { client in
            let created = try await client.post("/members", #"{"name": "Ann", "rating": 1850}"#)
            #expect(created.status == .created)
            let path = try #require(created.headers[.location])
            let id = try #require(path.split(separator: "/").last)
            #expect(created.text == #"{"id":\#(id),"name":"Ann","rating":1850}"#)
            #expect(try await client.get(path).text == created.text)

            let changed = try await client.patch(path, #"{"rating": 1900}"#)
            #expect(changed.status == .ok)
            #expect(changed.text == #"{"id":\#(id),"name":"Ann","rating":1900}"#)
            #expect(try await client.get(path).text == changed.text)

            #expect(try await client.delete(path).status == .noContent)
            #expect(try await client.get(path).status == .notFound)
            #expect(try await client.delete(path).status == .notFound)
        }
    }

    @Test func `A list has pages, and each refers to the next`() async throws {
        try await serve { client in
            for (name, rating) in [("Cy", 1705), ("Ann", 1850), ("B&o", 1620), ("Dee", 1480)] {
                let body = #"{"name": "\#(name)", "rating": \#(rating)}"#
                #expect(try await client.post("/members", body).status == .created)
            }
            var names: [[String]] = []
            var next: String? = "/members?limit=2&minRating=1500"
            while let path = next {
                let page = try await client.get(path).decode(MemberPage.self)
                names.append(page.objects.map(\.name))
                next = page.next
            }
            #expect(names == [["Ann", "B&o"], ["Cy"]])
            for limit in ["0", "201", "x"] {
                #expect(try await client.get("/members?limit=\(limit)").status == .badRequest, "\(limit)")
            }
        }
    }

    @Test func `Invalid values are reported together, and nothing is saved`() async throws {
        try await serve { client in
            let refused = try await client.post("/members", #"{"name": "", "rating": 9000}"#)
            #expect(refused.status == .unprocessableContent)
            let error = try refused.decode(ErrorResponse.self).error
            #expect(error.code == "validation")
            #expect(Set(error.failures?.compactMap(\.property) ?? []) == ["name", "rating"])
            #expect(try await client.get("/members").text == #"{"objects":[]}"#)
        }
    }

    @Test func `A name that is in use is a conflict`() async throws {
        try await serve { client in
            _ = try await client.post("/members", #"{"name": "Ann"}"#)
            let second = try await client.post("/members", #"{"name": "Ann"}"#)
            #expect(second.status == .conflict)
            #expect(try second.decode(ErrorResponse.self).error.code == "duplicate")
        }
    }

    @Test func `A request that isn't understood is the client's mistake`() async throws {
        try await serve { client in
            let bodies = ["{", #"{"rating": 1}"#]
            for body in bodies {
                let response = try await client.post("/members", body)
                #expect(response.status == .badRequest, "\(body)")
            }
            let paths = ["/members/x": 400, "/members/0": 404, "/members/77": 404, "/boards": 404]
            for (path, code) in paths {
                let response = try await client.get(path)
                #expect(response.status.code == code, "\(path)")
            }
        }
    }
}
