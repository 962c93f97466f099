import RandomSeeds

@testable import ContextCore

/// A script of random steps in two contexts of a store, one of which has results controllers.
final class ResultsScript {
    private var random: SeededRandom
    private let store: Store
    /// The context of the controllers, and another one.
    private let contexts: [ObjectContext]
    private var watched: [WatchedResults] = []
    private var values: WatchedValues?
    private(set) var log: [String] = []

    /// - Parameter coordinator: The coordinator of an empty store.
    init(seed: UInt64, _ coordinator: any StoreCoordinator) throws {
        random = SeededRandom(seed: seed)
        let model = coordinator.model
        store = try Store(coordinator: coordinator, options: StoreOptions())
        let pipeline = store.pipeline
        contexts = ["followed", "other"].map {
            ObjectContext(model: model, parent: StoreParent(pipeline, name: $0))
        }
        for context in contexts { context.automaticallyMergesChanges = true }
        // The first context's deletions win: it could not undo the deletion of an object that the other one has reinserted.
        (contexts[0].mergePolicy, contexts[1].mergePolicy) = (.objectWins, .storeWins)
        contexts[0].isUndoEnabled = pick(2) == 0
        for _ in 0..<3 { edit(contexts[1]) }
        try contexts[1].save()
        try watch(contexts[0])
    }

    private func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }

    // MARK: Watched results

    private func watch(_ context: ObjectContext) throws {
        try watch("by division", ["points DESC"], sections: "division.name", in: context) { teams, division in
            let sections = Dictionary(grouping: teams) { division($0)?.name ?? "" }
            return sections.sorted { $0.key < $1.key }.map { Self.sorted($0.value) { (-$0.points, "") } }
        }
        try watch(
            "good divisions", ["division.rank", "name"], where: "points > 3 AND division.rank < 2",
            in: context
        ) {
            teams, division in
            let found = teams.filter { $0.points > 3 && (division($0)?.rank ?? 9) < 2 }
            return [Self.sorted(found) { (division($0)?.rank ?? 9, $0.name) }]
        }
        try watch("four of the last", ["points"], limit: 4, in: context) { teams, _ in
            [Array(Self.sorted(teams) { ($0.points, "") }.dropFirst().prefix(4))]
        }
        try watch("a window", ["name", "points DESC"], window: 1..<4, in: context) { teams, _ in
            let named = teams.sorted {
                ($0.name, -$0.points, $0.objectID.key) < ($1.name, -$1.points, $1.objectID.key)
            }
            return [named]
        }
        try watch(
            "a window by division", ["name"], where: "points > 1", sections: "division.name", window: 0..<3,
            in: context
        ) { teams, division in
            let sections = Dictionary(grouping: teams.filter { $0.points > 1 }) { division($0)?.name ?? "" }
            return sections.sorted { $0.key < $1.key }.map { Self.sorted($0.value) { (0, $0.name) } }
        }
        values = try WatchedValues(in: context)
        try watch(
            "by fans", ["fans.@count DESC", "name"], where: "ANY fans.age > 4 OR points < 2", in: context
        ) { teams, _ in
            let found = teams.filter { team in team.points < 2 || team.fans.contains { $0.age > 4 } }
            return [Self.sorted(found) { (-$0.fans.count, $0.name) }]
        }
    }

    private func watch(
        _ name: String, _ order: [String], where predicate: String? = nil, limit: Int? = nil,
        sections: PropertyPath? = nil, window: Range<Int>? = nil,
        in context: ObjectContext, expected: @escaping ([Team], (Team) -> Division?) -> [[Team]]
    ) throws {
        let request = FetchRequest<Team>(
            where: try predicate.map { try FetchPredicate($0) },
            order: try order.flatMap { try SortKey.keys($0) },
            limit: limit, offset: limit == nil ? 0 : 1)
        watched.append(
            try WatchedResults(
                name, request, sections: sections, window: window, in: context, expected: expected))
    }

    private static func sorted(_ teams: [Team], by key: (Team) -> (Int, String)) -> [Team] {
        let keyed = teams.map { (team: $0, key: key($0), id: $0.objectID.key) }
        return keyed.sorted { $0.key == $1.key ? $0.id < $1.id : $0.key < $1.key }.map(\.team)
    }

    // MARK: Steps

    func run(_ steps: Int) throws {
        for _ in 0..<steps {
            try step()
            try mergeChanges(contexts[0])
            try check()
        }
        log.append("end")
        contexts[0].rollback()
        try contexts[0].refreshAll()
        try mergeChanges(contexts[0])
        try check()
    }

    private func check() throws {
        let consumes = pick(3) == 0
        for results in watched {
            try results.checkDifferences(consumes: consumes)
            // Objects that pending changes keep from being merged are older than in the store, which executes requests.
            if contexts[0].graph.unmerged.isEmpty, contexts[0].graph.contested.isEmpty {
                try results.checkObjects()
                try results.checkFetch()
                try results.checkFresh()
                if consumes { try results.checkRows() }
            }
        }
        if contexts[0].graph.unmerged.isEmpty, contexts[0].graph.contested.isEmpty { try values?.check() }
    }

    private func mergeChanges(_ context: ObjectContext) throws {
        try context.mergeStoreChanges()
        context.processPendingChanges()
    }

    private func step() throws {
        let context = pick(2) == 0 ? contexts[0] : contexts[1]
        let who = context === contexts[0] ? "followed" : "other"
        switch pick(17) {
        case 16:
            log.append("scroll")
            for results in watched {
                let first = pick(6)
                try results.scroll(to: first..<first + pick(5))
            }
        case 0...7:
            log.append("edit \(who)")
            for _ in 0...pick(3) { edit(context) }
        case 8, 9, 10: try save(context, who)
        case 11:
            log.append("roll back \(who)")
            context.rollback()
            if pick(2) == 0 { try refresh(context) }
        case 12:
            log.append("undo or redo")
            if pick(2) == 0 { contexts[0].undo() } else { contexts[0].redo() }
        case 13: try batch(contexts[1])
        case 14: try workInChild()
        default: try refresh(context)
        }
    }

    private func refresh(_ context: ObjectContext) throws {
        log.append("refresh")
        try context.refreshAll()
    }

    /// Saves the context, or rolls it back and refreshes it if the save fails.
    private func save(_ context: ObjectContext, _ who: String) throws {
        log.append("save \(who)")
        do {
            try context.save()
        } catch {
            log.append("refused: \(error)")
            context.rollback()
            try refresh(context)
        }
    }

    private func edit(_ context: ObjectContext) {
        let divisions = (try? context.fetch(FetchRequest<Division>())) ?? []
        let teams = (try? context.fetch(FetchRequest<Team>())) ?? []
        switch pick(12) {
        case 0:
            let division = Division(in: context, name: "L\(pick(6))", rank: pick(4))
            for _ in 0..<pick(4) { pick(teams)?.division = division }
        case 1:
            guard let division = pick(divisions) else { return }
            (division.name, division.rank) = ("L\(pick(6))", pick(4))
        case 2: if let division = pick(divisions), pick(3) == 0 { context.delete(division) }
        case 3: if let division = pick(divisions) { for team in division.teams { context.delete(team) } }
        case 4, 5: _ = Team(in: context, name: "T\(pick(9))", points: pick(8), division: pick(divisions))
        case 6: if let team = pick(teams) { context.delete(team) }
        case 7: pick(teams)?.division = pick(5) == 0 ? nil : pick(divisions)
        case 8: if context === contexts[1] { _ = Fan(in: context, age: pick(9), team: pick(teams)) }
        case 9:
            guard context === contexts[1], let fans = try? context.fetch(FetchRequest<Fan>()),
                let fan = pick(fans)
            else {
                return
            }
            (fan.age, fan.team) = (pick(9), pick(teams))
        default:
            guard let team = pick(teams) else { return }
            (team.points, team.name) = (pick(8), "T\(pick(9))")
        }
    }

    private func batch(_ context: ObjectContext) throws {
        if context.hasChanges { return }
        log.append("batch")
        switch pick(4) {
        case 0: try context.batchUpdate(Team.self, where: \.points < pick(8), .set(\.points, to: pick(8)))
        case 1: try context.batchDelete(Team.self, where: \.points == pick(8))
        case 2: try context.batchDelete(Division.self, where: \.rank == pick(4))
        default:
            try context.batchInsert(Team.self, from: 0...pick(3)) { number in
                [.set(\.name, to: "B\(number)"), .set(\.points, to: number)]
            }
        }
    }

    private func workInChild() throws {
        log.append("child")
        let child = contexts[0].makeChild()
        for _ in 0...pick(4) { edit(child) }
        do {
            try child.save()
        } catch {
            log.append("refused: \(error)")
        }
    }
}
