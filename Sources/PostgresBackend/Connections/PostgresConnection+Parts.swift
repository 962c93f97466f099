#if Postgres
import ContextCore

/// How a long answer is read while the server still works on the rest of it.
extension PostgresConnection {
    /// How many rows a part has.
    private static let part = 4_096

    /// Runs queries in one round trip, and hands over what each answers.
    func run(
        _ queries: [String], _ take: (PostgresResult) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard try enterPipeline() else {
            for query in queries { try take(run(query)) }
            return
        }
        for query in queries {
            try send(PostedStatement(sql: query, answersPart: true), PostgresParameters())
        }
        try collect(take)
    }

    /// Runs a query inside a transaction, and hands its rows over part by part, in one round trip.
    ///
    /// - Parameter count: About how many rows there are; all beyond that come in one part.
    func run(
        _ sql: String, _ parameters: PostgresParameters, expecting count: Int,
        _ take: (PostgresResult) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard try enterPipeline() else { return try take(run(sql, parameters, keepsPlan: false)) }
        // Nothing is prepared: what a FETCH answers differs from cursor to cursor, and a server plans each DECLARE anew.
        try send(PostedStatement(sql: "DECLARE parts NO SCROLL CURSOR FOR \(sql)"), parameters)
        let fetches = Array(repeating: "FETCH \(Self.part) FROM parts", count: count / Self.part)
        for fetch in fetches + ["FETCH ALL FROM parts"] {
            try send(PostedStatement(sql: fetch, answersPart: true), PostgresParameters())
        }
        try send(PostedStatement(sql: "CLOSE parts"), PostgresParameters())
        try collect(take)
    }
}
#endif
