import ContextCore

extension ObjectModel {
    /// Finds an entity that a person named.
    ///
    /// - Throws: ``AdminError`` with the name that it may have been meant to be.
    func entity(_ name: String) throws -> EntityLayout {
        if let layout = layout(named: name) { return layout }
        let names = layouts.map(\.name)
        let near = Spelling.nearest(to: name, among: names).map { "Did you mean \($0)?" }
        let list =
            names.count <= 12 ? "There are \(names.joined(separator: ", "))." : "Run 'storectl model show'."
        throw AdminError(
            code: "SC1004", exit: .usage, message: "the model has no entity “\(name)”.", hint: near ?? list)
    }

    /// The entities that an option names; all of them where it names none.
    func entities(_ names: [String]?) throws -> [EntityLayout] {
        try names?.map(entity) ?? layouts
    }

    /// The same, and all entities that inherit from them, in the order of the model.
    func families(_ names: [String]?) throws -> [EntityLayout] {
        Set(try entities(names).flatMap(\.familyIndices)).sorted().map { layouts[$0] }
    }
}
