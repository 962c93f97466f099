import SwiftDiagnostics

/// An error in the use of a macro, with the message that the compiler prints.
struct MacroError: DiagnosticMessage {
    let message: String
    let diagnosticID: MessageID
    var severity: DiagnosticSeverity { .error }

    /// Creates an error whose diagnostic identifier is the name of the calling function.
    init(_ message: String, function: String = #function) {
        self.message = message
        diagnosticID = MessageID(domain: "ContextMacros", id: String(function.prefix { $0 != "(" }))
    }
}

/// The message of a fix-it, which an editor shows.
struct MacroFixIt: FixItMessage {
    let message: String
    let fixItID: MessageID

    init(_ message: String, function: String = #function) {
        self.message = message
        fixItID = MessageID(domain: "ContextMacros", id: String(function.prefix { $0 != "(" }))
    }
}
