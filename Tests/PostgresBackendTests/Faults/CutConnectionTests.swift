#if Postgres
import ContextCore
import Foundation
import Testing

@testable import PostgresBackend

/// Connections that are cut, or that hang, in the middle of their work.
@Suite(.enabled(if: TestServer.isExpected))
struct CutConnectionTests {
    private let store: InjuredStore

    init() throws { store = try InjuredStore() }

    @Test func `A save whose COMMIT never arrives is not stored, and its error says so`() throws {
        store.proxy.arm(.cutBeforeCommit)
        expectError(.connectionLost) { try store.save(1) }
        #expect(try store.keys() == [])
        try store.save(1)
        #expect(try store.keys() == [1])
        try store.expectFullPool()
    }

    @Test func `A save in one round trip that never arrives is repeated step by step`() throws {
        let session = try store.lateSession()
        store.proxy.arm(.cutBeforeCommit)
        #expect(try session.saveInOneRoundTrip([store.insertion(1)], isCancellable: true) == nil)
        #expect(store.proxy.faultCount == 1)
        #expect(try store.keys() == [])
        #expect(try session.apply(store.insertion(1)).conflicts.isEmpty)
        _ = try session.commit()
        #expect(try store.keys() == [1])
        try store.expectFullPool()
    }

    @Test(arguments: InjuredStore.Way.allCases)
    func `A save whose response is lost is found to be committed`(_ way: InjuredStore.Way) throws {
        store.proxy.arm(.cutCommitAnswer)
        try store.save(1, way)
        #expect(store.proxy.faultCount == 1)
        #expect(try store.keys() == [1])
        try store.expectFullPool()
    }

    @Test(arguments: InjuredStore.Way.allCases)
    func `A save that is cut during its commit is stored, or its error says that it isn't`(
        _ way: InjuredStore.Way
    ) throws {
        var keys: [Int64] = []
        for key in Int64(1)...20 {
            store.proxy.arm(.cutAfterCommit)
            do {
                try store.save(key, way)
                keys.append(key)
            } catch let error as StoreError {
                #expect(error.code == .connectionLost)
                expectDecency(of: error)
            }
        }
        #expect(store.proxy.faultCount == 20)
        #expect(try store.keys() == keys)
    }

    @Test func `The outcome of a save without a history record is found by its transaction ID`() throws {
        store.proxy.arm(.cutCommitAnswer)
        let session = try store.write()
        try session.setUserInfo(["a": "b"])
        _ = try session.commit()
        #expect(try store.coordinator.metadata().userInfo == ["a": "b"])

        store.proxy.arm(.cutBeforeCommit)
        let other = try store.write()
        try other.setUserInfo(["a": "c"])
        expectError(.connectionLost) { _ = try other.commit() }
        #expect(try store.coordinator.metadata().userInfo == ["a": "b"])
        #expect(store.proxy.faultCount == 2)
    }

    @Test(arguments: [TestProxy.Fault.cutCommitAnswer, .cutBeforeCommit])
    func `The outcome of a save is found while another session locks the store`(
        _ fault: TestProxy.Fault
    ) throws {
        let session = try store.write()
        #expect(try session.apply(store.insertion(1)).conflicts.isEmpty)
        let other = try otherProgram(store.direct)
        let direct = store.direct
        let holding = Errand(other) { other in _ = try? HeldCommits(other, direct) }
        store.proxy.arm(fault) { holding.start() }
        let result = Result { try session.commit() }
        if fault == .cutCommitAnswer {
            _ = try result.get()
        } else {
            expectError(.connectionLost) { _ = try result.get() }
        }
        #expect(try store.keys() == (fault == .cutCommitAnswer ? [1] : []))
        try store.expectFullPool()
    }

    @Test func `A save is found even if its history record was pruned before`() throws {
        let direct = try PostgresCoordinator(model: store.model, store.direct)
        defer { direct.close() }
        let (model, configuration) = (store.model, store.direct)
        store.proxy.arm(.cutCommitAnswer) {
            // Another process saves, and prunes the history before that.
            let other = try? PostgresCoordinator(model: model, configuration)
            let session = try? other?.openWriteSession(SessionOptions(identifier: "pruner"))
            var builder = RowBatchBuilder(model: model)
            builder.beginRow(key: 9, version: 1, entityIndex: 0)
            builder.set(0, to: .string("other"))
            var changes = ChangeSet()
            if let rows = try? builder.finish() { changes.inserts = [.init(entityIndex: 0, rows: rows)] }
            _ = try? session?.apply(changes)
            if let token = session?.token { try? session?.pruneHistory(through: token) }
            _ = try? session?.commit()
            other?.close()
        }
        try store.save(1)
        #expect(try store.keys() == [1, 9])
        let reader = try direct.openReadSession(SessionOptions(identifier: "history"))
        defer { reader.end() }
        #expect(throws: StoreError.self) {
            try reader.history(HistoryRequest(after: StoreToken(storeID: direct.store.storeID, sequence: 0)))
        }
    }

    @Test(arguments: InjuredStore.Way.allCases)
    func `Wherever the responses are cut, a save is stored or reported as failed`(
        _ way: InjuredStore.Way
    ) throws {
        let step = Effort.count("POSTGRES_CUT_STEP", otherwise: 97)
        var (key, limit): (Int64, Int) = (0, 1)
        var keys: [Int64] = []
        var wasCut = true
        // Until the conversation is shorter than the bytes before the cut.
        while wasCut {
            key += 1
            store.proxy.cutAll()
            store.proxy.arm(.cut(afterBytes: limit))
            let before = store.proxy.faultCount
            do {
                try store.save(key, way)
                keys.append(key)
            } catch let error as StoreError {
                #expect(error.code == .connectionLost, "\(String(reflecting: error)) at \(limit)")
                expectDecency(of: error)
            }
            wasCut = store.proxy.faultCount > before
            store.proxy.arm(nil)
            limit += step
        }
        #expect(limit > (way == .inOneTrip ? 500 : 1000))
        #expect(try store.keys() == keys)
        try store.expectFullPool()
    }

    @Test func `Connections that were cut while idle are replaced without an error`() throws {
        try store.expectFullPool()
        store.proxy.cutAll()
        #expect(eventually { store.proxy.ports.isEmpty })
        try store.save(1)
        try store.expectFullPool()
    }
}
#endif
