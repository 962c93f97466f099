import ContextCore
import StoreConformance
import Testing

/// Tests that the conformance suite finds the bugs of faulty stores.
struct FaultyStoreTests {
    @Test(arguments: Defect.allCases)
    func `A store with a bug fails a case`(_ defect: Defect) async throws {
        let fixture = StoreFixture(name: defect.rawValue, capabilities: [.history, .concurrentReads]) {
            _, model in
            FaultyCoordinator(defect, model: model)
        }
        var failures = 0
        for testCase in ConformanceCase.cases(for: fixture) where testCase.topic == defect.topic {
            do { try await testCase.run(on: fixture) } catch { failures += 1 }
        }
        #expect(failures > 0)
    }

    @Test func `The cases of lanes run for a store with lanes`() async throws {
        let fixture = StoreFixture(
            name: "lanes", capabilities: [.history, .concurrentReads, .concurrentWrites]
        ) { _, model in
            LaneCoordinator(model: model)
        }
        for testCase in ConformanceCase.cases(for: fixture) where testCase.topic == "writers" {
            try await testCase.run(on: fixture)
        }
    }

    @Test func `A case that a store doesn't support is rejected, not skipped`() async throws {
        let fixture = StoreFixture(name: "forgetful", capabilities: [.concurrentReads]) { _, model in
            FaultyCoordinator(.losesAuthors, model: model)
        }
        let testCase = try #require(ConformanceCase.all.first { !$0.requires.isEmpty })
        #expect(!ConformanceCase.cases(for: fixture).contains { $0.name == testCase.name })
        await #expect(throws: ConformanceFailure.self) { try await testCase.run(on: fixture) }
    }
}
