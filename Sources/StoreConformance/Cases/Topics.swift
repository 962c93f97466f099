extension ConformanceCase {
    static let topics: [Topic] = [
        .values, .predicates, .collections, .orders, .relationships, .oneToOne, .deletion, .inheritance,
        .faulting,
        .saving, .merging, .undoAfterMerges, .concurrentSaves,
        .uniqueness, .trees, .bytes, .externalStorage, .deferredValues, .rules, .hooks, .indexes, .contexts,
        .pending,
        .objects, .reverting,
        .foundation, .predicateForms, .sessions, .atomicity, .writers, .links, .scale, .pinnedContexts,
        .members, .requests,
        .aggregates,
        .batches, .batchRules, .upserts, .upsertRules,
        .edgeCases, .derivations, .results, .live, .proxies, .locking, .history, .retention, .reopening,
    ]
}
