public import Foundation

// Typed accessors, by slot. `@Entity` writes calls of them; overloads for the common types read packed rows directly.
extension ManagedObject {
    /// Reads an attribute.
    public final func value<Value: AttributeValue>(at slot: Int) -> Value {
        let stored = storedValue(at: slot)
        return Value(storedValue: stored) ?? unreadable(stored, slot)
    }

    /// What is answered for a value that the property's type can't be, such as a case that a newer program has.
    ///
    /// The error is thrown by the next fetch or save, so that nobody takes the answer for what is stored.
    private final func unreadable<Value: AttributeValue>(_ stored: StoredValue, _ slot: Int) -> Value {
        if graph.probe != nil { return Value.placeholder }
        if !stored.isNull {
            let name = entity.properties[slot].name
            graph.keep(
                StoreError(
                    .unknownProperty,
                    "\(entity.name).\(name) of \(objectID) holds what no \(Value.self) can be.",
                    remedy: "Read it by name, object[\"\(name)\"], or let the type have a value for it."))
        }
        return Value(storedValue: .null) ?? Value.placeholder
    }

    /// Reads a text attribute.
    public final func value(at slot: Int) -> String {
        if let (batch, field) = committedField(slot) { return batch.string(field) }
        if case .string(let value) = storedValue(at: slot) { return value }
        return ""
    }

    /// Reads an integer attribute.
    public final func value(at slot: Int) -> Int {
        if let (_, field) = committedField(slot) { return Int(field.load(as: Int64.self)) }
        if case .int(let value) = storedValue(at: slot) { return Int(value) }
        return 0
    }

    /// Reads a floating-point attribute.
    public final func value(at slot: Int) -> Double {
        if let (_, field) = committedField(slot) { return field.load(as: Double.self) }
        if case .double(let value) = storedValue(at: slot) { return value }
        return 0
    }

    /// Reads a Boolean attribute.
    public final func value(at slot: Int) -> Bool {
        if let (_, field) = committedField(slot) { return field.load(as: Int64.self) != 0 }
        if case .bool(let value) = storedValue(at: slot) { return value }
        return false
    }

    /// Reads a date attribute.
    public final func value(at slot: Int) -> Date {
        if let (_, field) = committedField(slot) { return Date(microseconds: field.load(as: Int64.self)) }
        return Date(storedValue: storedValue(at: slot)) ?? Date.placeholder
    }

    /// Reads a UUID attribute.
    public final func value(at slot: Int) -> UUID {
        if let (_, field) = committedField(slot) { return field.loadUnaligned(as: UUID.self) }
        return UUID(storedValue: storedValue(at: slot)) ?? UUID.placeholder
    }

    /// Writes an attribute.
    ///
    /// Writing what it was before is no change.
    public final func setValue<Value: AttributeValue>(_ value: Value, at slot: Int) {
        write(value.storedValue, slot)
    }

    /// Writes a text attribute.
    public final func setValue(_ value: String, at slot: Int) { write(.string(value), slot) }
    /// Writes an integer attribute.
    public final func setValue(_ value: Int, at slot: Int) { write(.int(Int64(value)), slot) }
    /// Writes a floating-point attribute.
    public final func setValue(_ value: Double, at slot: Int) { write(value.storedValue, slot) }
    /// Writes a Boolean attribute.
    public final func setValue(_ value: Bool, at slot: Int) { write(.bool(value), slot) }
    /// Writes a date attribute.
    public final func setValue(_ value: Date, at slot: Int) { write(value.storedValue, slot) }
    /// Writes a UUID attribute.
    public final func setValue(_ value: UUID, at slot: Int) { write(.uuid(value), slot) }

    /// Reads an attribute that is kept as JSON.
    public final func codableValue<Value: Codable>(at slot: Int) -> Value {
        let stored = storedValue(at: slot)
        do {
            return try CodableCoding.value(Value.self, from: stored)
        } catch {
            return standIn(for: stored, slot)
        }
    }

    /// What is answered where there is no JSON, or none that the property's type can be: nothing, an empty value, or the
    /// default.
    private final func standIn<Value: Codable>(for stored: StoredValue, _ slot: Int) -> Value {
        let name = entity.properties[slot].name
        if graph.probe == nil, !stored.isNull {
            graph.keep(
                StoreError(
                    .unknownProperty,
                    "\(entity.name).\(name) of \(objectID) holds JSON that no \(Value.self) can be.",
                    remedy: "Read it by name, object[\"\(name)\"], or let the type be decoded from it."))
        }
        if stored.isNull, let value = Placeholders.value(of: Value.self) { return value }
        if case .value(let usual)? = Self.describedAttribute(name)?.defaultValue,
            let value = try? CodableCoding.value(Value.self, from: usual)
        {
            return value
        }
        guard let value = Placeholders.value(of: Value.self) else {
            programmingError(
                "\(Self.self).\(name) has no value to begin with: give it a default, or make it optional, as a model of the "
                    + "class would have said.")
        }
        return value
    }

    /// Writes an attribute that is kept as JSON.
    public final func setCodableValue<Value: Codable>(_ value: Value, at slot: Int) {
        do {
            write(try CodableCoding.storedValue(of: value), slot)
        } catch {
            graph.keep(error)
        }
    }
}

// MARK: - Underneath

extension ManagedObject {
    /// The committed field of a slot, where nothing lies over it: the quick way.
    @inline(__always)
    private final func committedField(_ slot: Int) -> (RowBatch, UnsafeRawPointer)? {
        guard overlay == nil, row >= 0 else { return nil }
        let place = place(of: slot)
        if place.column < 0 { return nil }
        return holder.withUncounted { group in
            if group.graphOfObjects.withUncounted({ $0.reportsToObservation }) { return nil }
            let start = group.batch.row(Int(row))
            return RowBatch.isNull(start, place.column)
                ? nil : (group.batch, UnsafeRawPointer(start + place.offset))
        }
    }

    /// Reads an attribute, firing a fault where there is one.
    final func storedValue(at slot: Int) -> StoredValue {
        graphReference.withUncounted { graph in
            if graph.reportsToObservation { graph.noteAccess(to: self, slot: slot) }
            if let overlay {
                switch overlay.slots[slot] {
                case .value(let value), .settled(let value): return value
                case .unchanged, .object, .collection: break
                }
            }
            return graph.committedValue(of: self, slot: slot)
        }
    }

    /// Writes an attribute.
    final func write(_ value: StoredValue, _ slot: Int) {
        if overlayReference?.withUncounted({ begin(slot, with: value, in: $0) }) == true { return }
        graphReference.withUncounted { graph in
            if isFault && !graph.ensureLoaded(self) { return }
            let isCommitted = row >= 0 && graph.isCommitted(value, of: self, slot: slot)
            if isCommitted, overlayReference?.withUncounted({ $0.slots[slot].isUnchanged }) ?? true { return }
            let isNoChange = isCommitted && !graph.isContested(self, slot)
            graph.change(self, slot, to: isNoChange ? .unchanged : .value(value))
        }
    }

    /// Writes an attribute where that is nobody's business, or no change; false where there is more to it.
    @inline(__always)
    private final func begin(_ slot: Int, with value: StoredValue, in overlay: Overlay) -> Bool {
        switch overlay.slots[slot] {
        // What nearly every value of a new object is: the first of its property.
        case .unchanged:
            guard state == .inserted, row < 0 else { return false }
            return graphReference.withUncounted { graph in
                guard graph.changesArePlain else { return false }
                overlay.slots.begin(slot, with: .value(value))
                graph.changeCount += 1
                return true
            }
        case .settled(let known), .value(let known): return known == value
        case .object, .collection: return false
        }
    }
}
