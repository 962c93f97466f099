#if Postgres
import ContextCore

/// Text without case or diacritics, and in upper and lower case, by the tables that all stores share.
///
/// What the server itself knows of case depends on its version and on its operating system.
enum TextFoldingFunctions {
    static let all =
        (1...3).map { raw in
            let options = TextOptions(rawValue: raw)
            return function(
                "fold_\(raw)", TextFolding.translation(for: options),
                ascii: options.contains(.caseInsensitive) ? own("lower") : "x")
        } + [
            function("lowercase", TextFolding.lowercaseTranslation, ascii: own("lower")),
            function("uppercase", TextFolding.uppercaseTranslation, ascii: own("upper")),
        ]

    private static func own(_ name: String) -> String { "pg_catalog.\(name)(x COLLATE pg_catalog.\"C\")" }

    private static func function(
        _ name: String, _ translation: (from: String, to: String), ascii: String
    ) -> StoredFunction {
        let kept = common(besides: translation.from)
        return StoredFunction(
            name, "x text", "text", as: .steps,
            """
            IF pg_catalog.octet_length(x) \(StoredFunction.own("=")) pg_catalog.length(x) THEN RETURN \(ascii); END IF;
            RETURN pg_catalog.translate(
                x, '\(kept)\(translation.from)'::pg_catalog.text, '\(kept)\(translation.to)'::pg_catalog.text);
            """)
    }

    /// Letters and digits that stay as they are.
    ///
    /// The server looks at `from` from its beginning for each scalar of a text, so what is frequent had better stand there.
    private static func common(besides changed: String) -> String {
        let changed = Set(changed.unicodeScalars)
        let frequent = " etaoinsrhldcumfpgwybvkxjqzETAOINSRHLDCUMFPGWYBVKXJQZ0123456789.,-"
        return String(String.UnicodeScalarView(frequent.unicodeScalars.filter { !changed.contains($0) }))
    }
}
#endif
