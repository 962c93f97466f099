/// An error in the contents of a file of another program, without the file's name.
struct FormatError: Error, Equatable {
    /// What is wrong, as the end of a sentence that begins with the file's name.
    let message: String

    init(_ message: String) { self.message = message }
}

extension FormatError {
    /// Returns the error with the name of the file.
    func naming(_ file: String, hint: String? = nil) -> AdminError {
        .badData("\(file): \(message).", hint: hint)
    }
}
