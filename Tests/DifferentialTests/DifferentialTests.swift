import ContextCore
import Foundation
import Testing

/// Compares the results of the SQL backends with those of the in-memory store, which defines the meaning of every request.
///
/// `DIFFERENTIAL_REQUESTS` is the total number of requests, and `DIFFERENTIAL_SEED` the first seed.
struct DifferentialTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let requests = environment["DIFFERENTIAL_REQUESTS"].flatMap { Int($0) } ?? 12_000
    private static let requestsPerModel = 250
    private static let firstSeed = environment["DIFFERENTIAL_SEED"].flatMap { UInt64($0) } ?? 1
    private static let seeds = (0..<UInt64(max(1, requests / requestsPerModel))).map { firstSeed + $0 }

    @Test(arguments: StoreUnderTest.present, seeds)
    func `Stores have the same results as the in-memory store`(kind: StoreUnderTest, seed: UInt64) throws {
        let random = SeededGenerator(seed: seed)
        var models = RandomModel(random: random)
        let model = models.model()
        let pair = try StorePair(model, kind)
        defer { #expect(throws: Never.self) { try pair.close() } }
        var data = RandomData(model, models.random)
        data.values.firstMoment = kind.firstMoment
        try fill(pair, &data, seed)
        var requests = RandomRequests(
            predicates: RandomPredicates(model: model, values: data.values),
            stored: try pair.storedRows())
        var answered = 0
        var request = requests.request()
        for number in 0..<Self.requestsPerModel {
            if number > 0 { request = requests.request(after: request) }
            let answers = pair.answers(request)
            if answers.expected == answers.actual {
                if case .failure = answers.expected { continue }
                answered += 1
                continue
            }
            report(request, pair, "seed \(seed), request \(number)")
            return
        }
        #expect(
            answered > Self.requestsPerModel / 2, "Too few requests of seed \(seed) could be answered at all."
        )
    }

    private func fill(_ pair: StorePair, _ data: inout RandomData, _ seed: UInt64) throws {
        var saved = try pair.save(data.insertions())
        #expect(saved.expected == saved.actual, "seed \(seed), the first save")
        for number in 0..<8 {
            let session = try pair.memory.openReadSession(SessionOptions(identifier: "before"))
            defer { session.end() }
            saved = try pair.save(try data.changes(seenBy: session))
            try #require(saved.expected == saved.actual, "seed \(seed), save \(number)")
            let contents = try pair.contents()
            try #require(contents.expected == contents.actual, "seed \(seed), after save \(number)")
        }
    }

    private func report(_ request: RandomRequest, _ pair: StorePair, _ place: String) {
        let smallest = request.shrunk { candidate in
            let answers = pair.answers(candidate)
            return answers.expected != answers.actual
        }
        let answers = pair.answers(smallest)
        Issue.record(
            """
            \(place): \(smallest)
            memory: \(answers.expected)
            store: \(answers.actual)
            """)
    }
}
