/// Takes from text what makes no difference: case with `[c]`, diacritics with `[d]`.
///
/// The one definition for every store. Each Unicode scalar becomes one scalar or, a nonspacing mark under `[d]`, none; no locale
/// and no neighbour has a say. With `[d]` a scalar made of a letter and marks becomes the letter; with `[c]` a scalar becomes
/// the lower case of its upper case, so that ς and σ, ſ and s are the same. ß and ss, ø and o stay different. The tables are
/// frozen and don't change with Swift or the operating system, as indexes over folded text must not.
package enum TextFolding {
    /// Takes from text what the options say makes no difference.
    package static func fold(_ text: String, _ options: TextOptions) -> String {
        map(text, through: ScalarMap.folding(options))
    }

    /// The lower case of a text, scalar by scalar.
    package static func lowercased(_ text: String) -> String {
        map(text, through: .lowercase)
    }

    /// The upper case of a text, scalar by scalar.
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

    /// The same in the two texts that SQL's `translate` takes: each scalar of `from` becomes the one at its place in `to`, and
    /// those beyond the end of `to` are removed.
    package static func translation(for options: TextOptions) -> (from: String, to: String) {
        ScalarMap.folding(options)?.translation ?? ("", "")
    }

    /// ``translation(for:)`` for the lower case.
    package static var lowercaseTranslation: (from: String, to: String) { ScalarMap.lowercase.translation }
    /// ``translation(for:)`` for the upper case.
    package static var uppercaseTranslation: (from: String, to: String) { ScalarMap.uppercase.translation }
}
