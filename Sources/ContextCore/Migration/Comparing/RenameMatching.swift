/// Finds the older part that each newer part was before: an entity, or a property of one entity.
///
/// A renaming identifier is an earlier name of a part, and stays the same in later renames. So the older part has that name, or the same
/// identifier. A hint is the name of the part in the older model, independent of earlier names.
struct RenameMatching {
    /// A part's name and its earlier names.
    struct Candidate {
        let name: String
        /// The renaming identifier in the model.
        let identifier: String?
        /// The older name according to a hint.
        var hint: String?
        /// The shape of the part; a missing and a new part with the same shape may be a rename.
        ///
        /// Nil if the part is never suspected to be renamed.
        var shape: String?
    }

    /// The older names of newer parts that existed before.
    private(set) var oldNames: [String: String] = [:]
    /// The older parts without a newer part.
    private(set) var removed: [String] = []
    /// The renames that can't be inferred, a sentence each.
    private(set) var ambiguities: [String] = []
    /// The missing parts that may have been renamed, each with the new parts that it may have become.
    private(set) var likelyRenames: [(former: String, candidates: [String])] = []

    init(old: [Candidate], new: [Candidate], in context: String, notRenamed: Set<String>) {
        var claims: [String: [String]] = [:]
        for part in new {
            guard let origin = Self.origin(of: part, among: old) else { continue }
            claims[origin, default: []].append(part.name)
        }
        for (origin, names) in claims.sortedByBytes(of: \.key) {
            let names = names.sorted { $0.precedesByBytes($1) }
            if names.count > 1 {
                ambiguities.append(
                    "\(names.joined(separator: " and ")) \(context) are both declared as renames of \(origin)."
                )
            }
            oldNames[names[0]] = origin
        }
        removed = old.map(\.name).filter { claims[$0] == nil }
        let claimants = Set(claims.values.joined())
        let added = new.filter { !claimants.contains($0.name) }
        recordLikelyRenames(
            old.filter { removed.contains($0.name) && !notRenamed.contains($0.name) }, added, context)
    }

    private static func origin(of part: Candidate, among old: [Candidate]) -> String? {
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

    /// Records pairs of a missing and a new part that differ only in name, because one may be a rename of the other.
    private mutating func recordLikelyRenames(
        _ missing: [Candidate], _ added: [Candidate], _ context: String
    ) {
        for part in missing {
            guard let shape = part.shape else { continue }
            let likely = added.filter { $0.shape == shape && $0.hint == nil && $0.identifier == nil }.map(
                \.name)
            guard let first = likely.first else { continue }
            likelyRenames.append((part.name, likely))
            let (are, it) = likely.count == 1 ? ("is", first) : ("are", "one of them")
            ambiguities.append(
                "\(part.name) \(context) is missing and \(likely.joined(separator: " and ")) \(are) new, and they differ only in name: "
                    + "declare \(it) with renamedFrom: \"\(part.name)\", or declare \(part.name) as removed.")
        }
    }
}
