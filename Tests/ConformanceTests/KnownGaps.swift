/// What kinds of stores can't do yet, in one place, so that it is seen.
enum KnownGaps {
    /// What SQLite can't do yet, or answers otherwise.
    static let sqlite: [String: String] = [
        "Lines that an order leaves equal come by key, and groups by their values": review,
        "A reference to a row of another subentity leads nowhere, and is found": review,
        "A link of a relationship that is its own inverse leads both ways below contexts too": review,
        "A sum of integers that does not fit is null, and a mean is exact before it is divided": review,
        "A batch deletion carries out the delete rules": batch,
        "A batch is one transaction of the history": batch,
        "A batch update changes what fulfils its predicate, and its versions grow": batch,
        "A batch update keeps the rules of the model, and unique constraints": batch,
        "A rule that denies keeps the whole batch from being done": batch,
        "Aggregates with and without subentities": decimals,
        "An order by folded text": function,
        "An order by what is worked out": function,
        "Arithmetic stays exact, and is null where it has no answer": function,
        "Functions of dates, in UTC, before 1970 too": function,
        "Functions of numbers": function,
        "Functions of texts": function,
        "LIKE knows ? and * and takes the rest literally": function,
        "MATCHES fits a regular expression from beginning to end": function,
        "The least and the greatest text, date, decimal and floating-point number": decimals,
        "[c] and [d] leave out case and diacritics": function,
    ]

    private static let review = "SQLite answers otherwise than the reference; the review of its statements has it."
    private static let batch = "SQLite can't change rows by predicate yet."
    private static let decimals = "SQLite doesn't work out sums and means of decimals yet."
    private static let function = "SQLite is not given this function yet."
}
