// Typed accessors of attributes with a value transformer by slot, which `@Entity` calls.
extension ManagedObject {
    /// Returns the transformed value of an attribute.
    public final func value<Transformer: AttributeTransformer>(
        at slot: Int, by transformer: Transformer.Type
    ) -> Transformer.Value {
        value(at: slot, by: transformer) ?? Transformer.placeholder
    }

    /// Returns the transformed value of an optional attribute.
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
            graph.deferError(error)
            return nil
        }
    }

    /// Sets an attribute to the reverse-transformed value.
    ///
    /// If the transformer throws, the attribute keeps its value, and the next fetch or save throws the error.
    public final func setValue<Transformer: AttributeTransformer>(
        _ value: Transformer.Value?, at slot: Int, by transformer: Transformer.Type
    ) {
        guard let transformer = entity.properties[slot].transformer as? Transformer else {
            programmingError(
                "\(Self.self).\(entity.properties[slot].name) can't be set: the model has no transformer \(Transformer.self) for it."
            )
        }
        do {
            write(try value.map(transformer.storedValue) ?? .null, slot)
        } catch {
            graph.deferError(error)
        }
    }
}
