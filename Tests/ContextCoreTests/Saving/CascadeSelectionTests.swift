import Testing

@testable import ContextCore

struct CascadeSelectionTests {
    @Test func `Saving only a deleted object saves its whole cascade`() throws {
        let store = try CountryStore()
        let context = try store.context()
        let country = Country(in: context, name: "a")
        let town = Town(in: context, name: "b", country: country)
        let house = House(in: context, town: town)
        let tenant = Tenant(in: context, house: house)
        let other = Town(in: context, name: "other")
        try context.save()
        other.name = "pending"
        context.delete(country)
        try context.save(only: [country])
        #expect(house.isDeleted && tenant.house == nil && !tenant.hasChanges)
        #expect(try store.context().count(FetchRequest<House>()) == 0)
        #expect(other.isUpdated)
    }

    @Test func `An abstract entity has no objects`() async {
        await #expect(processExitsWith: .failure) {
            let context = try CountryStore().context()
            _ = Shape(insertingInto: context)
        }
    }

    @Test func `A deleted member is in no snapshot`() throws {
        let context = try CountryStore().context()
        let town = Town(in: context, name: "a")
        let houses = [House(in: context, town: town), House(in: context, town: town)]
        try context.save()
        context.delete(houses[0])
        let snapshot: ObjectSnapshot = town.snapshot()
        #expect(snapshot.collections["houses"] == [houses[1].objectID])
    }
}
