/// Allocates names that are unique and the same in every run.
///
/// A name that is in use already gets a trailing underscore; a name that is too long is truncated and ends in a hash of the whole name.
package struct NameAllocation {
    private var usedNames: Set<String>
    private let maximumLength: Int?

    package init(maximumLength: Int?, reserved: Set<String> = []) {
        self.maximumLength = maximumLength
        usedNames = reserved
    }

    package mutating func allocate(_ wanted: String) -> String {
        var name = shortened(wanted)
        while !usedNames.insert(name).inserted { name = shortened(name + "_") }
        return name
    }

    private func shortened(_ name: String) -> String {
        guard let maximumLength, name.utf8.count > maximumLength else { return name }
        let hash = String(Self.hash(name), radix: 36)
        var prefix = Substring(name)
        // Truncate at scalars: half a scalar would be replaced by another one, which has more bytes.
        while prefix.utf8.count > maximumLength - hash.utf8.count - 1 { prefix.unicodeScalars.removeLast() }
        return prefix + "_" + hash
    }

    /// Returns the FNV-1a hash, which is short and the same on every platform and in every version.
    private static func hash(_ name: String) -> UInt32 {
        name.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}
