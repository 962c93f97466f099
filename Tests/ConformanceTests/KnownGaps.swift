/// What kinds of stores can't do yet, in one place, so that it is seen.
enum KnownGaps {
    /// What PostgreSQL can't do yet, or answers otherwise.
    static let postgres: [String: String] = [
        "A batch of a context changes the store at once, and the context's objects follow": batch,
        "Other contexts follow a batch as they do a save": batch,
        "A pinned context moves on when it is pinned again, and when it saves": batch,
        "A batch deletion carries out the delete rules": batch,
        "A batch is one transaction of the history": batch,
        "A batch update changes what fulfils its predicate, and its versions grow": batch,
        "A batch update keeps the rules of the model, and unique constraints": batch,
        "A rule that denies keeps the whole batch from being done": batch,
        "A link of a relationship that is its own inverse leads both ways below contexts too": links,
        "A reference to a row of another subentity leads nowhere, and is found": subentity,
    ]

    private static let batch = "PostgreSQL can't change rows by predicate yet."
    private static let links = "PostgreSQL keeps such links one way, as contexts write them."
    private static let subentity = "PostgreSQL compares keys alone."
}
