import Foundation

/// Calculates derived attributes before their objects are written.
struct DerivationStage {
    private let graph: ObjectGraph
    /// The previous values of the attributes that were set.
    private var previousValues: [(object: ManagedObject, slot: Int, value: SlotValue)] = []
    private var undo: UndoLog?

    init(graph: ObjectGraph) { self.graph = graph }

    /// Sets the derived attributes of the objects to save, and of objects that derive attributes from them.
    mutating func derive(_ work: SaveSelection) throws {
        if graph.recordsUndo { undo = graph.undo }
        var pending: [ManagedObject] = []
        for kind in work.insertedAndUpdated where !kind.entity.derivations.isEmpty { pending += kind.objects }
        for kind in work.all where !kind.entity.contributions.isEmpty {
            for object in kind.objects where try exists(object) { pending += try owners(of: object) }
        }
        var seen: Set<ManagedObject> = []
        for object in pending where try object.isLive && seen.insert(object).inserted && exists(object) {
            for (slot, derivation) in object.entity.derivations { try derive(object, slot, derivation) }
        }
        try graph.throwDeferredError()
    }

    /// Restores the previous values after a failed save.
    func revert() {
        for (object, slot, value) in previousValues.reversed() where object.state != .detached {
            let overlay = graph.overlay(of: object)
            overlay.slots[slot] = value
            if overlay.isEmpty { object.overlay = nil }
            graph.updateState(of: object)
            graph.didChangeAll(object)
        }
        if previousValues.isEmpty { return }
        if graph.recordsUndo { graph.undo = undo }
        graph.pruneChanges()
    }

    /// Whether an object is new or has a row; another context may have deleted an object that this one still refers to.
    private func exists(_ object: ManagedObject) throws -> Bool {
        try FaultLoader(graph: graph).exists(object)
    }

    /// Returns the objects with attributes that are derived over a relationship to an object.
    private func owners(of object: ManagedObject) throws -> [ManagedObject] {
        try object.entity.contributions.flatMap { slot -> [ManagedObject] in
            if object.entity.properties[slot].relationship?.description.isToMany == true {
                return Array(graph.loadedCollection(of: object, slot: slot).members)
            }
            return try graph.existingTarget(of: object, slot: slot).map { [$0] } ?? []
        }
    }

    private mutating func derive(_ object: ManagedObject, _ slot: Int, _ derivation: Derivation) throws {
        if case .now = derivation {
            if object.state == .inserted || object.overlay?.isDirty == true {
                set(object, slot, to: Date().storedValue)
            }
            return
        }
        set(object, slot, to: try value(derivation, of: object))
    }

    private mutating func set(_ object: ManagedObject, _ slot: Int, to value: StoredValue) {
        let before = object.overlay?.slots[slot] ?? .unchanged
        let changes = graph.changeCount
        object.write(value, slot)
        if graph.changeCount != changes { previousValues.append((object, slot, before)) }
    }

    private func value(_ derivation: Derivation, of object: ManagedObject) throws -> StoredValue {
        switch derivation {
        case .now: Date().storedValue
        case .copy(let path): try follow(path, from: object)
        case .lowercased(let path): mapText(try follow(path, from: object), TextFolding.lowercased)
        case .canonical(let path):
            mapText(try follow(path, from: object)) {
                TextFolding.fold($0, [.caseInsensitive, .diacriticInsensitive])
            }
        case .count(let relationship): .int(Int64(members(relationship, of: object).count))
        case .sum(let relationship, let attribute):
            sum(try values(relationship, attribute, of: object), object, relationship, attribute)
        case .minimum(let relationship, let attribute):
            minimumOrMaximum(try values(relationship, attribute, of: object), greatest: false)
        case .maximum(let relationship, let attribute):
            minimumOrMaximum(try values(relationship, attribute, of: object), greatest: true)
        }
    }

    private func mapText(_ value: StoredValue, _ transform: (String) -> String) -> StoredValue {
        if case .string(let text) = value { .string(transform(text)) } else { .null }
    }

    /// Returns the value at the end of a chain of to-one relationships.
    private func follow(_ path: String, from object: ManagedObject) throws -> StoredValue {
        var object = object
        let names = path.split(separator: ".").map(String.init)
        for (index, name) in names.enumerated() {
            guard let property = object.entity.property(named: name) else { return .null }
            if property.relationship == nil {
                return index == names.count - 1 ? object.storedValue(at: property.slot) : .null
            }
            guard let next = try graph.existingTarget(of: object, slot: property.slot) else { return .null }
            object = next
        }
        return .null
    }

    /// Returns the members of a relationship, without loading them; another context may have deleted some.
    private func members(_ relationship: String, of object: ManagedObject) -> [ManagedObject] {
        guard let property = object.entity.property(named: relationship) else { return [] }
        return graph.loadedCollection(of: object, slot: property.slot).members.filter(\.isLive)
    }

    private func values(_ relationship: String, _ attribute: String, of object: ManagedObject) throws
        -> [StoredValue]
    {
        try members(relationship, of: object).compactMap { member in
            guard let property = member.entity.property(named: attribute), try exists(member) else {
                return nil
            }
            let value = member.storedValue(at: property.slot)
            return value.isNull ? nil : value
        }
    }

    /// Returns the sum in the attribute's type; null if a sum of integers overflows.
    private func sum(
        _ values: [StoredValue], _ object: ManagedObject, _ relationship: String, _ attribute: String
    ) -> StoredValue {
        let destination = object.entity.property(named: relationship)?.relationship?.destinationIndex
        let type = destination.flatMap { graph.model.layouts[$0].property(named: attribute)?.attribute?.type }
        var integers: Int64 = 0
        var doubles = 0.0
        var decimals = Decimal(0)
        for value in values.sorted(by: { ValueOrder.compare($0, $1) < 0 }) {
            switch value {
            case .int(let value):
                let (sum, overflow) = integers.addingReportingOverflow(value)
                if overflow { return .null }
                integers = sum
            case .double(let value): doubles += value
            case .decimal(let value): decimals += value
            case .null, .bool, .string, .data, .timestamp, .uuid, .composite: break
            }
        }
        switch type {
        case .double, .float: return .double(doubles)
        case .decimal: return .decimal(decimals)
        default: return .int(integers)
        }
    }

    private func minimumOrMaximum(_ values: [StoredValue], greatest: Bool) -> StoredValue {
        let sorted = values.sorted { ValueOrder.compare($0, $1) < 0 }
        return (greatest ? sorted.last : sorted.first) ?? .null
    }
}
