#if Postgres
import ContextCore

/// Functions that fold case and diacritics, or convert to upper or lower case, with the tables that all stores share.
///
/// The results of the server's own case functions depend on its version and operating system.
enum TextFoldingFunctions {
    static let all =
        (1...3).map { raw in
            let options = TextOptions(rawValue: raw)
            return function(
                "fold_\(raw)", TextFolding.translation(for: options),
                ascii: options.contains(.caseInsensitive) ? caseFunction("lower") : "x")
        } + [
            function("lowercase", TextFolding.lowercaseTranslation, ascii: caseFunction("lower")),
            function("uppercase", TextFolding.uppercaseTranslation, ascii: caseFunction("upper")),
        ]

    private static func caseFunction(_ name: String) -> String {
        "pg_catalog.\(name)(x COLLATE pg_catalog.\"C\")"
    }

    private static func function(
        _ name: String, _ translation: (from: String, to: String), ascii: String
    ) -> StoredFunction {
        let kept = frequentCharacters(besides: translation.from)
        return StoredFunction(
            name, "x text", "text", as: .plpgsql,
            """
            IF pg_catalog.octet_length(x) \(StoredFunction.builtInOperator("=")) pg_catalog.length(x) THEN RETURN \(ascii); END IF;
            RETURN pg_catalog.translate(
                x, '\(kept)\(translation.from)'::pg_catalog.text, '\(kept)\(translation.to)'::pg_catalog.text);
            """)
    }

    /// Returns frequent characters that don't change, to put at the beginning of the translation.
    ///
    /// `translate` searches its list from the beginning for each character of a text, so frequent ones should come first.
    private static func frequentCharacters(besides changed: String) -> String {
        let changed = Set(changed.unicodeScalars)
        let frequent = " etaoinsrhldcumfpgwybvkxjqzETAOINSRHLDCUMFPGWYBVKXJQZ0123456789.,-"
        return String(String.UnicodeScalarView(frequent.unicodeScalars.filter { !changed.contains($0) }))
    }
}
#endif
