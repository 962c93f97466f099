import ContextCore
import Foundation
import RandomSeeds

/// The contents of a store as plain values, by the numbers of a sketch.
struct GraphState: Sendable, Equatable {
    /// An object, by the root entity of its tree and its key.
    struct Reference: Sendable, Hashable, Comparable, CustomStringConvertible {
        let root: Int
        let key: Int64

        static func < (left: Reference, right: Reference) -> Bool {
            (left.root, left.key) < (right.root, right.key)
        }
        var description: String { "\(root)/\(key)" }
    }

    struct Object: Sendable, Equatable {
        var entity: Int
        /// The values by the numbers of attributes.
        var values: [Int: StoredValue] = [:]
        /// The members by the numbers of ends, in their order if they are ordered, otherwise in the order of keys.
        var links: [Int: [Reference]] = [:]
    }

    var objects: [Reference: Object] = [:]
}

extension GraphState {
    /// Reads the contents of a store.
    init(_ context: ObjectContext, _ sketch: ModelSketch) throws {
        let ids = Dictionary(sketch.entities.map { ($0.name, $0.id) }) { first, _ in first }
        func reference(_ object: ManagedObject) -> Reference {
            let id = ids[object.entityLayout.name] ?? 0
            return Reference(root: sketch.root(of: id), key: object.objectID.key)
        }
        for entity in sketch.entities where !entity.isAbstract {
            let (attributes, ends) = (sketch.attributes(of: entity.id), sketch.ends(of: entity.id))
            for object in try context.all(entity.name) where object.entityLayout.name == entity.name {
                var state = Object(entity: entity.id)
                for attribute in attributes { state.values[attribute.id] = try object[attribute.name] }
                for end in ends {
                    let targets =
                        end.isToMany
                        ? try object.objects(end.name) : [try object.object(end.name)].compactMap(\.self)
                    let references = targets.map(reference)
                    state.links[end.id] = end.isOrdered ? references : references.sorted()
                }
                objects[reference(object)] = state
            }
        }
    }

    /// Copies the values of an attribute to another number, for some entities.
    mutating func renumber(_ copy: (entity: Int, older: Int, newer: Int), _ sketch: ModelSketch) {
        for (reference, object) in objects where sketch.isKind(object.entity, of: copy.entity) {
            objects[reference]?.values[copy.newer] = object.values[copy.older]
            objects[reference]?.values[copy.older] = nil
        }
    }

    /// Describes the differences from the expected contents, a sentence each.
    func differences(from expected: GraphState, _ sketch: ModelSketch) -> [String] {
        var sentences: [String] = []
        for (reference, object) in expected.objects.sorted(by: { $0.key < $1.key }) {
            let name = sketch.entity(object.entity)?.name ?? "?"
            guard let found = objects[reference] else {
                sentences.append("\(name) \(reference) is missing")
                continue
            }
            if found.entity != object.entity {
                sentences.append("\(name) \(reference) is \(sketch.entity(found.entity)?.name ?? "?")")
            }
            let names = sketch.propertyNames(of: object.entity)
            for (id, property) in names.sorted(by: { $0.key < $1.key }) {
                let path = "\(name).\(property) of \(reference)"
                if found.values[id] != object.values[id] {
                    sentences.append(
                        "\(path) is \(Self.text(found.values[id])), not \(Self.text(object.values[id]))")
                }
                if found.links[id] != object.links[id] {
                    sentences.append("\(path) is \(found.links[id] ?? []), not \(object.links[id] ?? [])")
                }
            }
        }
        for reference in objects.keys.sorted() where expected.objects[reference] == nil {
            sentences.append("\(reference) exists, but shouldn't")
        }
        return sentences
    }

    private static func text(_ value: StoredValue?) -> String { value.map { "\($0)" } ?? "nothing" }
}

// MARK: - New objects

extension SketchMaking {
    /// Returns random objects and links to add to a store.
    mutating func additions(perEntity most: Int) -> GraphAdditions {
        var additions = GraphAdditions()
        for entity in sketch.entities where !entity.isAbstract {
            for _ in 0..<(1 + random.below(most)) {
                var values: [String: StoredValue] = [:]
                for attribute in sketch.attributes(of: entity.id) {
                    // Attributes without a value get their default.
                    if attribute.isOptional, !attribute.isUnique, chance(1, in: 3) { continue }
                    values[attribute.name] =
                        attribute.isUnique ? unique(attribute.type) : value(of: attribute.type)
                }
                additions.objects.append((entity.id, entity.name, values))
            }
        }
        for association in sketch.associations { link(association, &additions) }
        return additions
    }

    /// Returns a value that no other object has.
    private mutating func unique(_ type: AttributeType) -> StoredValue {
        let number = Int64(1000 + number())
        switch type {
        case .int16, .int32, .int64: return .int(number)
        case .double, .float: return .double(Double(number))
        case .decimal: return .decimal(.init(number))
        case .string, .url: return .string("https://host/\(number)")
        case .date: return .timestamp(microseconds: number)
        case .data: return .data(.init("\(number)".utf8))
        case .uuid:
            let bytes = (UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8))
            return .uuid(UUID(uuid: (bytes.0, bytes.1, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)))
        case .bool, .codable, .composite: return .null
        }
    }

    private mutating func link(_ association: ModelSketch.Association, _ additions: inout GraphAdditions) {
        func places(_ side: Int) -> [Int] {
            additions.objects.indices.filter {
                sketch.isKind(additions.objects[$0].entity, of: association.sides[side].entity)
            }
        }
        // Set a to-one end if there is one; otherwise, either end has the members.
        let side =
            [0, 1].first { association.sides[$0].end?.isToMany == false }
            ?? (association.sides[0].end == nil ? 1 : 0)
        guard let end = association.sides[side].end else { return }
        var targets = places(1 - side)
        let isOneToOne = !end.isToMany && association.sides[1 - side].end?.isToMany == false
        for owner in places(side) {
            if targets.isEmpty { continue }
            if end.isToMany {
                let some = targets.filter { _ in chance(1, in: 3) }.shuffled(using: &random)
                additions.links.append((owner, end.name, true, some))
            } else if !end.isOptional || chance(2, in: 3) {
                let place = random.below(targets.count)
                additions.links.append((owner, end.name, false, [targets[place]]))
                if isOneToOne { targets.remove(at: place) }
            }
        }
    }
}

/// Objects and links to add to a store.
struct GraphAdditions: Sendable {
    var objects: [(entity: Int, name: String, values: [String: StoredValue])] = []
    /// The index of the owner among the objects, the relationship, and the indexes of its members.
    var links: [(owner: Int, name: String, isToMany: Bool, targets: [Int])] = []

    func add(to context: ObjectContext) throws {
        let made = try objects.map { try context.make($0.name, $0.values) }
        for link in links {
            if link.isToMany {
                try made[link.owner].set(link.name, to: link.targets.map { made[$0] })
            } else {
                try made[link.owner].set(link.name, to: made[link.targets[0]])
            }
        }
    }
}
