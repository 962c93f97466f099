import ContextCore

// The model of the random deletions: cascades over several levels, in cycles and through subentities, and others that end at a delete
// rule which needs the objects loaded.

@Entity final class Land: ManagedObject {
    var name: String = ""
    @Relationship(deleteRule: .cascade, inverse: \Town.land) var towns: Set<Town>
    @Relationship(deleteRule: .cascade, inverse: \Branch.land) var branches: Set<Branch>
    @Relationship(deleteRule: .cascade, inverse: \Market.land) var markets: Set<Market>
    @Relationship(deleteRule: .cascade, inverse: \Bank.land) var banks: Set<Bank>
}

@Entity final class Town: ManagedObject {
    var name: String = ""
    var land: Land?
    @Relationship(deleteRule: .cascade, inverse: \House.town) var houses: [House]
}

@Entity class House: ManagedObject {
    var name: String = ""
    var town: Town?
    @Relationship(deleteRule: .cascade, inverse: \Room.house) var rooms: Set<Room>
}

@Entity final class Villa: House {
    @Relationship(deleteRule: .cascade, inverse: \Pool.villa) var pools: Set<Pool>
}

@Entity final class Room: ManagedObject {
    @Attribute(.preserveValueOnDeletion) var name: String = ""
    var house: House?
}

@Entity final class Pool: ManagedObject {
    var name: String = ""
    var villa: Villa?
}

@Entity final class Branch: ManagedObject {
    var name: String = ""
    @Relationship(deleteRule: .noAction) var land: Land?
    @Relationship(deleteRule: .noAction) var parent: Branch?
    @Relationship(deleteRule: .cascade, inverse: \Branch.parent) var children: Set<Branch>
}

@Entity final class Market: ManagedObject {
    var name: String = ""
    var land: Land?
    @Relationship(inverse: \.markets) var signs: Set<Sign>
    @Relationship(deleteRule: .cascade, inverse: \Stall.market) var stalls: Set<Stall>
}

@Entity final class Stall: ManagedObject {
    var name: String = ""
    var market: Market?
}

@Entity final class Sign: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(inverse: \Market.signs) var markets: Set<Market>
}

@Entity final class Bank: ManagedObject {
    var name: String = ""
    var land: Land?
    @Relationship(deleteRule: .deny, inverse: \Deposit.bank) var deposits: Set<Deposit>
}

@Entity final class Deposit: ManagedObject {
    var name: String = ""
    var bank: Bank?
}

enum LandModel {
    static let classes: [ManagedObject.Type] = [
        Land.self, Town.self, House.self, Villa.self, Room.self, Pool.self, Branch.self, Market.self,
        Stall.self, Sign.self, Bank.self, Deposit.self,
    ]
}
