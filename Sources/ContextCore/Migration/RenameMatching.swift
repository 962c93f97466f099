/// Finds which part of an older model each part of a newer one was: an entity, or a property of one entity.
///
/// A renaming identifier is the name that a part had once, and stays what it is through later renames. So a part was the one of that
/// name, or the one that has the same identifier. A hint is the name that a part has in the older model, whatever it was called before.
struct RenameMatching {
    /// A name, and the one that the part had once.
    struct Part {
        let name: String
        /// The renaming identifier of the model.
        let identifier: String?
        /// The older name that a hint says.
        var hint: String?
        /// What parts must have in common to be taken for each other by mistake; nil for those that never are.
        var shape: String?
    }

    /// The older name of each newer part that was there.
    private(set) var oldNames: [String: String] = [:]
    /// The older parts that no newer one was.
    private(set) var removed: [String] = []
    /// What can't be told, a sentence each.
    private(set) var ambiguities: [String] = []

    init(old: [Part], new: [Part], in place: String, kept: Set<String>) {
        var claims: [String: [String]] = [:]
        for part in new {
            guard let origin = Self.origin(of: part, among: old) else { continue }
            claims[origin, default: []].append(part.name)
        }
        for (origin, names) in claims.sortedByBytes(of: \.key) {
            let names = names.sorted { $0.precedes($1) }
            if names.count > 1 {
                ambiguities.append(
                    "\(names.joined(separator: " and ")) \(place) both claim to have been \(origin).")
            }
            oldNames[names[0]] = origin
        }
        removed = old.map(\.name).filter { claims[$0] == nil }
        let claimants = Set(claims.values.joined())
        let added = new.filter { !claimants.contains($0.name) }
        noteLikely(old.filter { removed.contains($0.name) && !kept.contains($0.name) }, added, place)
    }

    private static func origin(of part: Part, among old: [Part]) -> String? {
        let former = part.hint ?? part.identifier
        if let same = old.first(where: { $0.name == part.name }),
            former == nil || (part.identifier != nil && part.identifier == same.identifier)
                || !old.contains(where: { $0.name == former })
        {
            return same.name
        }
        guard let identifier = former else { return nil }
        return (old.first { $0.name == identifier } ?? old.first { $0.identifier == identifier })?.name
    }

    /// A part that is gone and one that is new, alike in all but the name, may be one: only people know.
    private mutating func noteLikely(_ gone: [Part], _ added: [Part], _ place: String) {
        for part in gone {
            guard let shape = part.shape else { continue }
            let likely = added.filter { $0.shape == shape && $0.hint == nil && $0.identifier == nil }.map(
                \.name)
            guard let first = likely.first else { continue }
            let (are, it) = likely.count == 1 ? ("is", first) : ("are", "one of them")
            ambiguities.append(
                "\(part.name) \(place) is gone and \(likely.joined(separator: " and ")) \(are) new, alike in all but the name: "
                    + "give \(it) the renaming identifier \(part.name), or say that \(part.name) is removed.")
        }
    }
}
