import ContextCore
import Foundation
import Hummingbird
import HummingbirdTesting
import Model
import Testing

@testable import ClubServer

struct AvailabilityTests {
    @Test func `A server whose store works is healthy`() async throws {
        try await serve { client in
            let response = try await client.get("/health")
            #expect(response.text == #"{"status":"ok"}"#)
        }
    }

    @Test func `A store that is closed is unavailable, and the response has no details`() async throws {
        let store = try Store.inMemory(clubModel)
        try await serve(store) { client in
            await store.close()
            let response = try await client.get("/health")
            #expect(response.status == .serviceUnavailable)
            #expect(response.headers[.retryAfter] == "1")
            #expect(
                response.text == #"{"error":{"code":"closed","message":"Service Unavailable"}}"#)
        }
    }

    @Test func `A request is refused while the queue is full`() async throws {
        let store = try Store.inMemory(clubModel, options: StoreOptions(readLimit: 1, waitingLimit: 1))
        try await serve(store) { client in
            let gate = DispatchSemaphore(value: 0)
            async let running: Void = store.read { _ in gate.wait() }
            async let waiting: Void = store.read { _ in }
            while store.operations.count < 2 { await Task.yield() }
            let response = try? await client.get("/members")
            gate.signal()
            _ = try await (running, waiting)
            #expect(response?.status == .serviceUnavailable)
            #expect(response?.headers[.retryAfter] == "1")
            #expect(try response?.decode(ErrorResponse.self).error.code == "overloaded")
        }
    }

    @Test func `A server closes its store when it stops`() async throws {
        let store = try Store.inMemory(clubModel)
        let application = try await makeApplication(store, address: .hostname(port: 0))
        try await application.test(.live) { client in
            let response = try await client.get("/health")
            #expect(response.status == .ok)
        }
        await #expect {
            try await store.read { _ in }
        } throws: { error in
            (error as? StoreError)?.code == .closed
        }
    }

    @Test func `Settings have defaults, and an invalid one is named`() throws {
        let settings = try Settings([:])
        #expect(settings.host == "127.0.0.1" && settings.port == 8080 && settings.logLevel == .info)
        for (name, value) in [("SERVER_PORT", "http"), ("SERVER_PORT", "70000"), ("LOG_LEVEL", "loud")] {
            #expect {
                try Settings([name: value])
            } throws: { error in
                "\(error)".contains(name)
            }
        }
    }
}
