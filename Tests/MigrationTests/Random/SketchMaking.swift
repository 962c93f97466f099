import ContextCore
import Foundation
import RandomSeeds

/// A generator of random sketches and random changes of them.
struct SketchMaking {
    var random: SeededRandom
    var sketch = ModelSketch()
    /// The sketch before the changes of this step.
    private(set) var old = ModelSketch()
    /// The conversions of attributes in this step, by their numbers.
    var conversions: [Int: SketchConversion] = [:]
    private var count = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    mutating func number() -> Int {
        count += 1
        return count
    }

    mutating func chance(_ one: Int, in all: Int) -> Bool { random.below(all) < one }

    /// Makes a first sketch with a valid model.
    mutating func makeFirst() {
        repeat {
            (sketch, old) = (ModelSketch(), ModelSketch())
            for _ in 0..<(2 + random.below(4)) { addEntity() }
            for _ in 0..<(2 + random.below(4)) { addAttribute() }
            for _ in 0..<(1 + random.below(4)) { addAssociation() }
        } while !isFillable || (try? sketch.model(usesIdentifiers: false)) == nil
    }

    /// Gives new numbers to attributes that an entity copied when it left its tree.
    ///
    /// - Returns: The entities with the older and the newer number of each.
    mutating func separateCopies() -> [(entity: Int, older: Int, newer: Int)] {
        var known: Set<Int> = []
        var copies: [(entity: Int, older: Int, newer: Int)] = []
        for index in sketch.entities.indices {
            for place in sketch.entities[index].attributes.indices {
                let attribute = sketch.entities[index].attributes[place]
                if known.insert(attribute.id).inserted { continue }
                let id = number()
                sketch.entities[index].attributes[place] = attribute.numbered(id)
                copies.append((sketch.entities[index].id, attribute.id, id))
            }
        }
        return copies
    }

    /// Changes the sketch to another one with a valid model.
    mutating func makeNext() {
        old = sketch
        clearFormerNames()
        let start = sketch
        while true {
            sketch = start
            conversions = [:]
            for _ in 0..<(1 + random.below(4)) where !sketch.entities.isEmpty { change() }
            guard isFillable, isUnambiguous, let model = try? sketch.model(usesIdentifiers: false),
                let before = try? old.model(usesIdentifiers: false), model.fingerprint != before.fingerprint
            else { continue }
            return
        }
    }

    /// Discards the changes of this step; the remaining model may have renaming identifiers, so the sketch keeps its former names.
    mutating func discardChanges() { sketch = old }

    private mutating func clearFormerNames() {
        for index in sketch.entities.indices {
            sketch.entities[index].formerName = nil
            for place in sketch.entities[index].attributes.indices {
                sketch.entities[index].attributes[place].formerName = nil
            }
        }
        for index in sketch.associations.indices {
            for side in 0..<2 { sketch.associations[index].sides[side].end?.formerName = nil }
        }
    }

    /// Whether objects of every entity can be created one by one, without two that require each other.
    private var isFillable: Bool {
        sketch.entities.contains { !$0.isAbstract }
            && sketch.associations.allSatisfy { association in
                let ends = association.sides.compactMap(\.end)
                return ends.count < 2 || ends.contains(where: \.isToMany) || ends.allSatisfy(\.isOptional)
            }
    }

    /// Whether names identify properties: no entity gets a property with the name of a former one.
    private var isUnambiguous: Bool {
        for entity in sketch.entities where old.entity(entity.id) != nil {
            let had = old.propertyNames(of: entity.id)
            for (id, name) in sketch.propertyNames(of: entity.id) where had[id] == nil {
                let names = [name] + old.entities.compactMap { old.propertyNames(declaredBy: $0.id)[id] }
                if !Set(names).isDisjoint(with: had.values) { return false }
            }
        }
        // A property is moved or renamed, but not both in one step.
        let (before, now) = (old.declarations, sketch.declarations)
        for (id, place) in now {
            if let was = before[id], was.name != place.name, was.entity != place.entity { return false }
        }
        let names = Set(old.entities.map(\.name))
        return sketch.entities.allSatisfy { old.entity($0.id) != nil || !names.contains($0.name) }
    }

    /// Whether renaming identifiers are unambiguous: an identifier equal to the name of a property means that it wasn't renamed.
    var allowsIdentifiers: Bool {
        let before = Set(old.renames)
        return !sketch.renames.contains(where: before.contains)
    }

    // MARK: Names and values

    private static let entityNames = [
        "Order", "Item", "OrderItem", "Name", "OrderItemName", "OrderName", "List",
    ]
    private static let propertyNames = [
        "name", "item", "itemName", "items", "title", "note", "orders", "nameItem", "list", "place",
    ]

    mutating func entityName() -> String {
        let name = Self.entityNames[random.below(Self.entityNames.count)]
        return sketch.entities.contains { $0.name == name } ? "\(name)\(number())" : name
    }

    mutating func propertyName(for entity: Int) -> String {
        let name = Self.propertyNames[random.below(Self.propertyNames.count)]
        let known = Set(
            sketch.entities.filter { sketch.isKind($0.id, of: entity) || sketch.isKind(entity, of: $0.id) }
                .flatMap { sketch.propertyNames(declaredBy: $0.id).values })
        return known.contains(name) ? "\(name)\(number())" : name
    }

    static let types: [AttributeType] = [
        .string, .string, .int16, .int32, .int64, .int64, .double, .float, .bool, .date, .data, .uuid, .url,
        .decimal(precision: 9, scale: 2),
    ]

    /// Returns a value of a type; texts and numbers often repeat.
    mutating func value(of type: AttributeType) -> StoredValue {
        let number = Int64(random.below(600) - 300)
        switch type {
        case .bool: return .bool(number > 0)
        case .int16: return .int(number)
        case .int32, .int64: return .int(chance(1, in: 12) ? number * 1000 : number)
        case .float, .double: return .double(Double(number) / 4)
        case .decimal(_, let scale): return .decimal(Decimal(number) / pow(10, scale))
        case .string:
            let texts = ["", "12", "-7", "0x", "Zoë", "zoe\u{308}", "'; --", "A\u{1F600}", "\(number)"]
            return .string(chance(3, in: 4) ? "\(number)" : texts[random.below(texts.count)])
        case .url: return .string("https://host/\(number)")
        case .codable: return .string("\(number)")
        case .data: return .data(Data([UInt8(truncatingIfNeeded: number), 0, 255]))
        case .date: return .timestamp(microseconds: number * 1_000_001)
        case .uuid:
            let byte = UInt8(truncatingIfNeeded: number)
            return .uuid(UUID(uuid: (byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, byte)))
        case .composite: return .null
        }
    }

    // MARK: Choosing

    mutating func anyEntity() -> Int { random.below(sketch.entities.count) }

    /// Returns an attribute that this step hasn't changed.
    mutating func anyAttribute() -> (entity: Int, place: Int)? {
        let entity = anyEntity()
        let attributes = sketch.entities[entity].attributes
        guard !attributes.isEmpty else { return nil }
        let place = random.below(attributes.count)
        let attribute = attributes[place]
        guard attribute.formerName == nil, conversions[attribute.id] == nil,
            sketch.entities.flatMap(\.attributes).count(where: { $0.id == attribute.id }) == 1,
            old.entity(sketch.entities[entity].id)?.attributes.contains(where: { $0.id == attribute.id })
                == true
        else { return nil }
        return (entity, place)
    }

    mutating func anyEnd() -> (association: Int, side: Int)? {
        guard !sketch.associations.isEmpty else { return nil }
        let association = random.below(sketch.associations.count)
        let side = random.below(2)
        return sketch.associations[association].sides[side].end == nil ? nil : (association, side)
    }
}
