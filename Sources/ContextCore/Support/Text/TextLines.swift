extension String {
    /// The lines, as files have them: each ends at a line feed, with or without a carriage return before it.
    ///
    /// Other characters at which Unicode lets lines end, such as U+2028, are text.
    package var linesByBytes: [Substring] {
        utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
    }
}
