extension ConformanceCase {
    static let topics: [Topic] = [
        .values, .predicates, .collections, .orders, .relationships, .oneToOne, .deletion, .inheritance,
        .faulting,
        .saving, .merging, .overtakenUndo, .overtakenSaves,
        .uniqueness, .trees, .bytes, .externalStorage, .deferredValues, .rules, .hooks, .indexes, .contexts,
        .pending,
        .objects, .takingBack,
        .foundation, .writing, .sessions, .wholeness, .writers, .links, .scale, .moments, .members, .requests,
        .aggregates,
        .batches, .batchRules,
        .corners, .derivations, .results, .live, .proxies, .locking, .history, .retention, .reopening,
    ]
}
