import ContextCore
import Foundation
import Testing

struct HistoryProcessTests {
    @Test(arguments: Subject.all)
    func `The history has the process of each save`(_ subject: Subject) async throws {
        try await subject.withStore { store async throws in
            try await store.write("one") { _ = SampleClub(in: $0, name: "Go") }
            try await store.write("many") { context in
                try context.batchUpdate(SampleClub.self, .set(\.name, to: "Baduk"))
            }
            let processes = try await store.history().map(\.process)
            let this = HistoryProcess(
                name: ProcessInfo.processInfo.processName,
                identifier: ProcessInfo.processInfo.processIdentifier)
            #expect(processes == [this, this] && !this.name.isEmpty && this.identifier > 0)
        }
    }
}
