import Testing

@testable import ContextCore

@Entity private class Vehicle: ManagedObject {
    var wheels: Int = 4
}

@Entity private final class Truck: Vehicle {
    var load: Int = 0
}

@Entity private final class Driver: ManagedObject {
    @Attribute(.unique) var name: String
    var vehicle: Vehicle?
}

/// The values of a controller's rows that need another request: a driver's vehicle may be a truck.
struct ResultsValuesTests {
    private let context: ObjectContext
    private let parent: UnreliableParent
    private let other: ObjectContext

    init() throws {
        let coordinator = InMemoryCoordinator(
            model: try ObjectModel([Vehicle.self, Truck.self, Driver.self]))
        parent = try UnreliableParent(coordinator)
        context = ObjectContext(model: coordinator.model, parent: parent)
        other = ObjectContext(model: coordinator.model, parent: try CountingParent(coordinator))
        for name in ["a", "b", "n", "o", "p"] { hire(name) }
        try other.save()
    }

    private func hire(_ name: String) {
        _ = Driver(in: other, name: name, vehicle: Truck(in: other))
    }

    private func drivers(window: Range<Int>? = nil) throws -> FetchedResultsController<Driver> {
        try FetchedResultsController(
            Driver.self, where: \.name >= "m", order: .ascending(\.name), window: window, in: context)
    }

    @Test(arguments: [Faulting.forbid, .warn])
    func `Values are read whatever the fault policy`(_ faulting: Faulting) async throws {
        var warnings: [String] = []
        context.onFaultWarning { warnings.append($0) }
        context.faulting = faulting
        var rows = try drivers().rows().makeAsyncIterator()
        #expect(await rows.next()?.rows.count == 3)
        #expect(warnings.isEmpty)
    }

    @Test func `A change whose values can't be read is reported later`() async throws {
        let list = try drivers()
        var rows = try list.rows().makeAsyncIterator()
        _ = await rows.next()
        var reported: [ResultsStep] = []
        list.onChange = { reported += $0.steps }
        let driver = try #require(try context.first(FetchRequest<Driver>(order: [SortKey("name")])))
        parent.losesRows = true
        driver.name = "q"
        context.processPendingChanges()
        #expect(list.failure != nil && list.count == 3 && reported.isEmpty)
        parent.losesRows = false
        context.processPendingChanges()
        #expect(list.failure == nil && list[3] === driver)
        #expect(reported == [.insert(driver.objectID, at: ResultsPosition(section: 0, row: 3))])
        let change = try #require(await rows.next())
        #expect(change.steps == reported && change.rows[driver.objectID]?.name == "q")
    }

    @Test func `A request that failed to run again is run later`() async throws {
        let list = try drivers()
        var rows = try list.rows().makeAsyncIterator()
        _ = await rows.next()
        var reported = 0
        list.onChange = { reported += $0.steps.count }
        hire("z")
        try other.save()
        parent.losesRows = true
        #expect(throws: StoreError.self) { try list.refetch() }
        #expect(list.failure != nil && list.count == 3 && reported == 0)
        parent.losesRows = false
        context.processPendingChanges()
        #expect(list.failure == nil && list.objects.map(\.name) == ["n", "o", "p", "z"] && reported == 1)
        #expect(await rows.next()?.rows.count == 1)
    }

    @Test func `A window that can't be moved keeps its range and rows`() async throws {
        let list = try drivers(window: 0..<2)
        var rows = try list.rows().makeAsyncIterator()
        _ = await rows.next()
        var reported = 0
        list.onChange = { reported += $0.steps.count }
        parent.losesRows = true
        #expect(throws: StoreError.self) { try list.move(to: 1..<3) }
        #expect(list.window == 0..<2 && list.objects.map(\.name) == ["n", "o"])
        parent.losesRows = false
        context.processPendingChanges()
        #expect(list.failure == nil && list.objects.map(\.name) == ["n", "o"] && reported == 0)
        try list.move(to: 1..<3)
        #expect(list.objects.map(\.name) == ["o", "p"] && reported == 2)
        #expect(await rows.next()?.rows.values.map(\.name) == ["p"])
    }
}
