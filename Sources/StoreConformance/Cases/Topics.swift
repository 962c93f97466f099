extension ConformanceCase {
    static let topics: [Topic] = [
        .values, .predicates, .collections, .orders, .relationships, .deletion, .inheritance, .faulting,
        .saving, .merging,
        .uniqueness, .indexes, .contexts, .sessions, .moments, .members, .requests, .aggregates, .batches,
        .corners, .results, .history, .reopening,
    ]
}
