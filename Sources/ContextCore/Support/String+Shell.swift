extension String {
    /// The string as one word of a POSIX shell, for commands that messages show: in single quotes unless it needs none.
    package var shellQuoted: String {
        let needsNoQuotes = unicodeScalars.allSatisfy { scalar in
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                || "_@%+=:,./-".unicodeScalars.contains(scalar)
        }
        return needsNoQuotes && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
