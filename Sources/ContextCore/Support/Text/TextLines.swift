extension String {
    /// The lines of a text file, which end with LF or CRLF.
    ///
    /// Other line terminators of Unicode, such as U+2028, are part of a line.
    package var newlineSeparatedLines: [Substring] {
        utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
    }
}
