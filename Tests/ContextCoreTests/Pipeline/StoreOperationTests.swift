import ContextCore
import Foundation
import Synchronization
import Testing

struct StoreOperationTests {
    @Test func `The changes of a write block are stored when it returns`() async throws {
        let fixture = try StepStore()
        let id = try await fixture.store.write("add") { context in
            let remark = Remark(in: context, text: "Well played")
            try context.save()
            return remark.objectID
        }
        #expect(!id.isTemporary)
        let text = try await fixture.store.read("look") { context in
            try context.object(with: id, as: Remark.self).text
        }
        #expect(text == "Well played")
        #expect(fixture.state.commitCount == 1)
        await fixture.store.close()
    }

    @Test func `A write block that throws leaves nothing`() async throws {
        let fixture = try StepStore()
        await #expect(throws: CocoaError.self) {
            try await fixture.store.write("add") { context in
                _ = Remark(in: context, text: "Gone")
                try context.save()
                throw CocoaError(.featureUnsupported)
            }
        }
        #expect(fixture.state.rows.isEmpty)
        #expect(fixture.state.openWrites == 0)
        #expect(fixture.state.commitCount == 0)
    }

    @Test func `Writes of one task take effect in the order of the calls`() async throws {
        let fixture = try StepStore()
        let order = Journal<Int>()
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                let turn = Task { @MainActor in
                    try await fixture.store.write("\(number)") { _ in order.append(number) }
                }
                group.addTask { try await turn.value }
            }
            try await group.waitForAll()
        }
        #expect(order.entries == Array(0..<50))
        #expect(fixture.state.mostWrites == 1)
    }
}
