import ContextCore
import Foundation
import RandomSeeds
import Testing

struct RandomModelTests {
    @Test(arguments: 0..<16)
    func `A model is the same however it is declared`(seed: UInt64) throws {
        var random = RandomModel(seed: seed)
        let described = try ObjectModel(entities: random.entities, transformers: RandomModel.transformers)
        let shuffled = try ObjectModel(entities: random.shuffled(), transformers: RandomModel.transformers)
        let built = try DeclaredModel.model(of: random.entities, transformers: RandomModel.transformers)
        let read = try ObjectModel(fileText: described.fileText)
        for other in [shuffled, built, read] {
            #expect(other.fileText == described.fileText)
            #expect(other.fingerprint == described.fingerprint)
            #expect(other.layouts.map(\.fingerprint) == described.layouts.map(\.fingerprint))
            #expect(
                other.layouts.map { $0.columns.map(\.name) }
                    == described.layouts.map { $0.columns.map(\.name) })
        }
    }

    @Test(arguments: 0..<16)
    func `An entity's fingerprint changes only with the entity`(seed: UInt64) throws {
        var random = RandomModel(seed: seed)
        let before = try ObjectModel(entities: random.entities, transformers: RandomModel.transformers)
        var entities = random.entities
        let index = Int.random(in: entities.indices, using: &random.random)
        entities[index].attributes.append(AttributeDescription("addition", .bool))
        let after = try ObjectModel(entities: entities, transformers: RandomModel.transformers)
        let changed = zip(before.layouts, after.layouts).filter { $0.fingerprint != $1.fingerprint }.map(
            \.0.name)
        #expect(changed == [entities[index].name])
        #expect(before.fingerprint != after.fingerprint)
    }

    @Test(arguments: Breakage.all, 0..<2)
    func `Each mistake is reported at its position in any model`(breakage: Breakage, seed: UInt64) {
        var random = RandomModel(seed: seed)
        var entities = random.entities
        let index = Int.random(in: entities.indices, using: &random.random)
        let name = entities[index].name
        let property = breakage.apply(&entities, index)
        let error = #expect(throws: ModelError.self) {
            try ObjectModel(entities: entities, transformers: RandomModel.transformers)
        }
        let isTold = error?.problems.contains {
            $0.code == breakage.code && $0.entity == name && (property == nil || $0.property == property)
        }
        #expect(isTold == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test(arguments: 0..<8)
    func `All mistakes are reported at once`(seed: UInt64) {
        var entities = RandomModel(seed: seed).entities
        // Each in a separate entity, as one problem may hide another: a duplicate name is ambiguous.
        let breakages = Breakage.all.filter { $0.code != .duplicateName && $0.code != .inheritanceCycle }
        let used = zip(entities.indices, breakages.shuffledBy(seed)).map { index, breakage in
            _ = breakage.apply(&entities, index)
            return breakage.code
        }
        let error = #expect(throws: ModelError.self) {
            try ObjectModel(entities: entities, transformers: RandomModel.transformers)
        }
        #expect(Set(used).subtracting((error?.problems ?? []).map(\.code)) == [])
    }
}

extension Array {
    fileprivate func shuffledBy(_ seed: UInt64) -> [Element] {
        var random = SeededRandom(seed: seed)
        return shuffled(using: &random)
    }
}
