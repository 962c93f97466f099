import ContextCore

@testable import StoreConformance

// The model of the predecessors' samples: clubs with members.

@Entity final class SampleClub: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade, inverse: \SampleMember.club) var members: Set<SampleMember>
}

@Entity final class SampleMember: ManagedObject {
    var name: String
    var points: Int = 0
    var club: SampleClub?
}

extension Subject {
    /// Runs a block on a new store.
    func withStore(_ program: (Store) async throws -> Void) async throws {
        let trial = CaseRun(fixture)
        let store = try await trial.open([SampleClub.self, SampleMember.self])
        do {
            try await program(store)
        } catch {
            try? await trial.end()
            throw error
        }
        try await trial.end()
    }
}
