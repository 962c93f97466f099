/// Folds strings for comparison: case with `[c]`, diacritics with `[d]`.
///
/// Every store uses this definition. Each Unicode scalar maps to one scalar or, for a nonspacing mark under `[d]`, to none,
/// independent of the locale and of its neighbors. `[d]` maps a letter with marks to the letter. `[c]` maps a scalar to the lowercase
/// of its uppercase, so that ς and σ, ſ and s are equal; ß and ss, ø and o stay different. The tables are frozen and don't change
/// with Swift or the operating system, because stores have indexes on folded text.
package enum TextFolding {
    /// Returns the string folded with options.
    package static func fold(_ text: String, _ options: TextOptions) -> String {
        map(text, through: ScalarMap.folding(options))
    }

    /// Returns the string in lowercase, mapped scalar by scalar.
    package static func lowercased(_ text: String) -> String {
        map(text, through: .lowercase)
    }

    /// Returns the string in uppercase, mapped scalar by scalar.
    package static func uppercased(_ text: String) -> String {
        map(text, through: .uppercase)
    }

    private static func map(_ text: String, through map: ScalarMap?) -> String {
        guard let map else { return text }
        return text.withBytes { bytes in
            String(unsafeUninitializedCapacity: bytes.count + bytes.count / 2 + 4) { result in
                map.apply(to: bytes, result)
            }
        }
    }

    /// Returns the folding as the arguments of SQL's `translate`.
    ///
    /// Each scalar of `from` becomes the one at its position in `to`; scalars beyond the end of `to` are removed.
    package static func translation(for options: TextOptions) -> (from: String, to: String) {
        ScalarMap.folding(options)?.translation ?? ("", "")
    }

    /// The lowercase mapping in the form of ``translation(for:)``.
    package static var lowercaseTranslation: (from: String, to: String) { ScalarMap.lowercase.translation }
    /// The uppercase mapping in the form of ``translation(for:)``.
    package static var uppercaseTranslation: (from: String, to: String) { ScalarMap.uppercase.translation }
}
