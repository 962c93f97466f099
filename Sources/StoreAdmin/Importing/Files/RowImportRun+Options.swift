extension RowImportRun {
    /// The options of `data import` that apply only to the rows of a file.
    static let options: [OptionDeclaration] = [
        .option("entity", nil, "NAME", "The entity of the rows of a CSV or JSON Lines file."),
        .option(
            "format", nil, "FORMAT", "The format of the rows, if the file's name doesn't have its ending.",
            choices: RowFile.Format.allCases.map(\.rawValue)),
        .option(
            "key", nil, "A,B",
            "The properties of a unique constraint: a row updates the object with the same values."),
        .option(
            "map", nil, "COLUMN=PROPERTY",
            "The property of a column; nothing after the = leaves the column out. Can be repeated."),
        .option("date-format", nil, "PATTERN", "The form of dates, such as 'dd.MM.yyyy HH:mm'."),
        .option("delimiter", nil, "C", "The character between fields of a CSV file, by default a comma."),
        .option(
            "encoding", nil, "NAME", "The encoding, if it is not UTF-8 or marked by a byte-order mark.",
            choices: TextEncoding.allCases.map(\.rawValue)),
        .option(
            "null", nil, "TEXT",
            "The unquoted text that means null, by default the empty one. Can be repeated."),
        .option(
            "on-error", nil, "ACTION", "What a bad row does: stop the import, or be left out.",
            choices: ["stop", "reject"]),
        .option(
            "rejects", nil, "FILE", "A new file for the bad rows, with their lines and the reasons."),
    ]
}
