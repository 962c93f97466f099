import ContextCore

extension ObjectModel {
    /// Returns the entity with a name that the user gave.
    ///
    /// - Throws: ``AdminError`` if there is none, with the most similar name as a hint.
    func entity(_ name: String) throws -> EntityLayout {
        if let layout = layout(named: name) { return layout }
        let names = layouts.map(\.name)
        let near = Spelling.nearest(to: name, among: names).map { "Did you mean \($0)?" }
        let list =
            names.count <= 12
            ? "Its entities are \(names.joined(separator: ", "))."
            : "Run 'storectl model show' to list the entities."
        throw AdminError(
            code: "SC1004", exit: .usage, message: "the model has no entity “\(name)”.", hint: near ?? list)
    }

    /// Returns the entities with the given names; all entities if the names are nil.
    func entities(_ names: [String]?) throws -> [EntityLayout] {
        try names?.map(entity) ?? layouts
    }

    /// Returns the entities with the given names and all their subentities, in the order of the model.
    func families(_ names: [String]?) throws -> [EntityLayout] {
        Set(try entities(names).flatMap(\.familyIndices)).sorted().map { layouts[$0] }
    }
}
