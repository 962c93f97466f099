package import ContextCore

/// A session that runs its queries with a row reader.
///
/// The queries of single objects aren't here, so that the compiler specializes them in the backend.
package protocol ReaderSession: OrphanRowSession, MemberPagingSession {
    associatedtype Reader: RowReader
    /// Runs queries, and keeps the transaction usable if they fail.
    func read<Answer>(_ body: (Reader) throws -> Answer) throws -> Answer
}

extension ReaderSession {
    package func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] {
        try read { try $0.aggregate(plan) }
    }

    package func members(_ plan: MemberPlan) throws -> [RelatedRows.Link] {
        try read { try $0.members(plan) }
    }

    package func orphanLinks(limit: Int) throws -> [OrphanLink] {
        try read { try $0.orphanLinks(limit: limit) }
    }

    package func externalValueMismatches(limit: Int) throws -> [ExternalValueMismatch] {
        try read { try $0.externalValueMismatches(limit: limit) }
    }
}
