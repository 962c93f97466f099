// Typed accessors of properties that a transformer stands before, by slot. `@Entity` writes calls of them.
extension ManagedObject {
    /// Reads an attribute through its transformer.
    public final func value<Transformer: AttributeTransformer>(
        at slot: Int, by transformer: Transformer.Type
    ) -> Transformer.Value {
        value(at: slot, by: transformer) ?? Transformer.placeholder
    }

    /// Reads an optional attribute through its transformer.
    public final func value<Transformer: AttributeTransformer>(
        at slot: Int, by transformer: Transformer.Type
    ) -> Transformer.Value? {
        let stored = storedValue(at: slot)
        guard !stored.isNull, let transformer = entity.properties[slot].transformer as? Transformer else {
            return nil
        }
        do {
            return try transformer.value(from: stored)
        } catch {
            graph.keep(error)
            return nil
        }
    }

    /// Writes an attribute through its transformer.
    ///
    /// When the transformer throws, the attribute stays as it is, and the next fetch or save throws the error.
    public final func setValue<Transformer: AttributeTransformer>(
        _ value: Transformer.Value?, at slot: Int, by transformer: Transformer.Type
    ) {
        guard let transformer = entity.properties[slot].transformer as? Transformer else {
            programmingError(
                "\(Self.self).\(entity.properties[slot].name) can't be written: the model was given no \(Transformer.self)."
            )
        }
        do {
            write(try value.map(transformer.storedValue) ?? .null, slot)
        } catch {
            graph.keep(error)
        }
    }
}
