public import Foundation

// Typed accessors of attributes by slot, which `@Entity` calls; overloads for the common types read packed rows directly.
extension ManagedObject {
    /// Returns the value of an attribute.
    public final func value<Value: AttributeValue>(at slot: Int) -> Value {
        let stored = storedValue(at: slot)
        return Value(storedValue: stored) ?? placeholderForUnreadable(stored, slot)
    }

    /// Returns a placeholder for a stored value that doesn't fit the property's type, such as an enumeration case that
    /// a newer version of the program has stored.
    ///
    /// The next fetch or save throws the error, so that the program doesn't take the placeholder for the stored value.
    private final func placeholderForUnreadable<Value: AttributeValue>(_ stored: StoredValue, _ slot: Int)
        -> Value
    {
        if graph.probe != nil { return Value.placeholder }
        if !stored.isNull {
            let name = entity.properties[slot].name
            graph.deferError(
                StoreError(
                    .unknownProperty,
                    "The value of \(entity.name).\(name) of \(objectID) doesn't fit the type \(Value.self).",
                    remedy:
                        "Read it by name, object[\"\(name)\"], or extend the type so that it can represent the value."
                ))
        }
        return Value(storedValue: .null) ?? Value.placeholder
    }

    /// Returns the value of a text attribute.
    public final func value(at slot: Int) -> String {
        if let (batch, field) = committedField(slot) { return batch.string(field) }
        if case .string(let value) = storedValue(at: slot) { return value }
        return ""
    }

    /// Returns the value of an integer attribute.
    public final func value(at slot: Int) -> Int {
        if let (_, field) = committedField(slot) { return Int(field.load(as: Int64.self)) }
        if case .int(let value) = storedValue(at: slot) { return Int(value) }
        return 0
    }

    /// Returns the value of a floating-point attribute.
    public final func value(at slot: Int) -> Double {
        if let (_, field) = committedField(slot) { return field.load(as: Double.self) }
        if case .double(let value) = storedValue(at: slot) { return value }
        return 0
    }

    /// Returns the value of a Boolean attribute.
    public final func value(at slot: Int) -> Bool {
        if let (_, field) = committedField(slot) { return field.load(as: Int64.self) != 0 }
        if case .bool(let value) = storedValue(at: slot) { return value }
        return false
    }

    /// Returns the value of a date attribute.
    public final func value(at slot: Int) -> Date {
        if let (_, field) = committedField(slot) { return Date(microseconds: field.load(as: Int64.self)) }
        return Date(storedValue: storedValue(at: slot)) ?? Date.placeholder
    }

    /// Returns the value of a UUID attribute.
    public final func value(at slot: Int) -> UUID {
        if let (_, field) = committedField(slot) { return field.loadUnaligned(as: UUID.self) }
        return UUID(storedValue: storedValue(at: slot)) ?? UUID.placeholder
    }

    /// Sets an attribute.
    ///
    /// Setting the committed value is not a change.
    public final func setValue<Value: AttributeValue>(_ value: Value, at slot: Int) {
        write(value.storedValue, slot)
    }

    /// Sets a text attribute.
    public final func setValue(_ value: String, at slot: Int) { write(.string(value), slot) }
    /// Sets an integer attribute.
    public final func setValue(_ value: Int, at slot: Int) { write(.int(Int64(value)), slot) }
    /// Sets a floating-point attribute.
    public final func setValue(_ value: Double, at slot: Int) { write(value.storedValue, slot) }
    /// Sets a Boolean attribute.
    public final func setValue(_ value: Bool, at slot: Int) { write(.bool(value), slot) }
    /// Sets a date attribute.
    public final func setValue(_ value: Date, at slot: Int) { write(value.storedValue, slot) }
    /// Sets a UUID attribute.
    public final func setValue(_ value: UUID, at slot: Int) { write(.uuid(value), slot) }

    /// Returns the value of an attribute that is stored as JSON.
    public final func codableValue<Value: Codable>(at slot: Int) -> Value {
        let stored = storedValue(at: slot)
        do {
            return try CodableCoding.value(Value.self, from: stored)
        } catch {
            return placeholderValue(for: stored, slot)
        }
    }

    /// Returns a placeholder for JSON that is missing or can't be decoded: an empty value or the default.
    private final func placeholderValue<Value: Codable>(for stored: StoredValue, _ slot: Int) -> Value {
        let name = entity.properties[slot].name
        if graph.probe == nil, !stored.isNull {
            graph.deferError(
                StoreError(
                    .unknownProperty,
                    "The JSON of \(entity.name).\(name) of \(objectID) can't be decoded as \(Value.self).",
                    remedy: "Read it by name, object[\"\(name)\"], or make the type decodable from it."))
        }
        if stored.isNull, let value = Placeholders.value(of: Value.self) { return value }
        if case .value(let usual)? = Self.describedAttribute(name)?.defaultValue,
            let value = try? CodableCoding.value(Value.self, from: usual)
        {
            return value
        }
        guard let value = Placeholders.value(of: Value.self) else {
            programmingError(
                "\(Self.self).\(name) has no initial value: give it a default, or make it optional. Creating an ObjectModel with "
                    + "the class reports this error too.")
        }
        return value
    }

    /// Sets an attribute that is stored as JSON.
    public final func setCodableValue<Value: Codable>(_ value: Value, at slot: Int) {
        do {
            write(try CodableCoding.storedValue(of: value), slot)
        } catch {
            graph.deferError(error)
        }
    }
}

// MARK: - Implementation

extension ManagedObject {
    /// Returns the packed field of a slot on the fast path; nil if the object has an overlay or the field is null.
    @inline(__always)
    private final func committedField(_ slot: Int) -> (RowBatch, UnsafeRawPointer)? {
        guard overlay == nil, row >= 0 else { return nil }
        let location = location(of: slot)
        if location.column < 0 { return nil }
        return rowGroup.withUnretained { group in
            if group.graphOfObjects.withUnretained({ $0.reportsToObservation }) { return nil }
            let start = group.batch.row(Int(row))
            return RowBatch.isNull(start, location.column)
                ? nil : (group.batch, UnsafeRawPointer(start + location.offset))
        }
    }

    /// Returns an attribute's stored value, and loads the object if it is a fault.
    final func storedValue(at slot: Int) -> StoredValue {
        graphReference.withUnretained { graph in
            if graph.reportsToObservation { graph.reportAccess(to: self, slot: slot) }
            if let overlay {
                switch overlay.slots[slot] {
                case .value(let value), .clean(let value): return value
                case .unchanged, .object, .collection: break
                }
            }
            return graph.committedValue(of: self, slot: slot)
        }
    }

    /// Sets an attribute to a stored value.
    final func write(_ value: StoredValue, _ slot: Int) {
        if overlayReference?.withUnretained({ writeFast(slot, with: value, in: $0) }) == true { return }
        graphReference.withUnretained { graph in
            if isFault && !graph.ensureLoaded(self) { return }
            let isCommitted = row >= 0 && graph.isCommitted(value, of: self, slot: slot)
            if isCommitted, overlayReference?.withUnretained({ $0.slots[slot].isUnchanged }) ?? true {
                return
            }
            let isNoChange = isCommitted && !graph.isContested(self, slot)
            graph.change(self, slot, to: isNoChange ? .unchanged : .value(value))
        }
    }

    /// Writes an attribute on the fast path; false if the caller has to write it.
    ///
    /// The fast path handles values that don't change, and the first value of a slot in a new object if no observer, undo history or
    /// hook has to be notified.
    @inline(__always)
    private final func writeFast(_ slot: Int, with value: StoredValue, in overlay: Overlay) -> Bool {
        switch overlay.slots[slot] {
        // The most common case for a new object: the first value of the property.
        case .unchanged:
            guard state == .inserted, row < 0 else { return false }
            return graphReference.withUnretained { graph in
                guard graph.canWriteDirectly else { return false }
                overlay.slots.initialize(slot, with: .value(value))
                graph.changeCount += 1
                return true
            }
        case .clean(let known), .value(let known): return known == value
        case .object, .collection: return false
        }
    }
}
