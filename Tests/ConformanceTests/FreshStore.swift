import ContextCore
import Foundation

@testable import StoreConformance

/// A new store of a kind, in a new location.
struct FreshStore {
    let coordinator: any StoreCoordinator
    private let fixture: StoreFixture
    private let place: String

    init(_ fixture: StoreFixture, _ model: ObjectModel) throws {
        self.fixture = fixture
        place = "fresh_\(UUID().uuidString.prefix(8).lowercased())"
        coordinator = try fixture.open(place, model)
    }

    /// Closes the store, and deletes its files or tables.
    func remove() {
        coordinator.close()
        try? fixture.remove(place)
    }
}
