import SwiftDiagnostics

/// A use of the macros that can't work, in the words that the compiler prints.
struct Mistake: DiagnosticMessage {
    let message: String
    let diagnosticID: MessageID
    var severity: DiagnosticSeverity { .error }

    /// Makes a mistake that is told from others by the name of the function that makes it.
    init(_ message: String, function: String = #function) {
        self.message = message
        diagnosticID = MessageID(domain: "ContextMacros", id: String(function.prefix { $0 != "(" }))
    }
}

/// What a fix-it does, in the words that an editor shows.
struct Remedy: FixItMessage {
    let message: String
    let fixItID: MessageID

    init(_ message: String, function: String = #function) {
        self.message = message
        fixItID = MessageID(domain: "ContextMacros", id: String(function.prefix { $0 != "(" }))
    }
}
