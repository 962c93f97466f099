#if LineEditing
import CEditLine
import Foundation

/// Reads lines from the terminal with editing, history and completion, through libedit.
///
/// libedit calls back only within `el_gets`, on the thread that called it. State: libedit's editor and history, which this object owns, and
/// the prompt and the completion of the current line; used by one thread.
final class EditLine: ShellReader {
    private let editor: OpaquePointer
    private let history: OpaquePointer
    private let interrupts: ShellInterrupts
    /// The prompt as a C string, which libedit reads during `el_gets`.
    private var prompt: UnsafeMutablePointer<CChar>?
    private var complete: (String) -> CompletionAction = { _ in .nothing }

    /// Creates an editor on the standard streams.
    ///
    /// - Returns: Nil if libedit doesn't support the terminal.
    init?(limit: Int, interrupts: ShellInterrupts) {
        Self.useUTF8()
        guard let editor = editline_open("storectl"), let history = history_init() else { return nil }
        self.editor = editor
        self.history = history
        self.interrupts = interrupts
        // Unretained: the callbacks get the pointer back only while `next` of this object runs.
        editline_set_context(editor, Unmanaged.passUnretained(self).toOpaque())
        editline_set_prompt(editor) { EditLine.owner(of: $0)?.prompt }
        editline_handle_signals(editor)
        editline_use_emacs_keys(editor)
        editline_set_history(editor, history, Int32(clamping: limit))
        editline_add_function(editor, "complete-word", "Completes the word before the cursor.") { editor, _ in
            UInt8(EditLine.owner(of: editor)?.completeWord() ?? CC_ERROR)
        }
        // A user's ~/.editrc may change the keys, except for Tab.
        editline_bind(editor, "^R", "em-inc-search-prev")
        el_source(editor, nil)
        editline_bind(editor, "^I", "complete-word")
    }

    deinit {
        el_end(editor)
        history_end(history)
        free(prompt)
    }

    func next(prompt: String, complete: @escaping (String) -> CompletionAction) -> ShellLine {
        free(self.prompt)
        self.prompt = strdup(ShellPrompt.markingEscapes(in: prompt))
        self.complete = complete
        // A press while a result was printed is not meant for this line.
        _ = interrupts.consume()
        while true {
            var count: Int32 = 0
            if let line = el_gets(editor, &count) {
                let text = String(cString: line)
                return .text(text.last == "\n" ? String(text.dropLast()) : text)
            }
            let isSignal = count < 0 && errno == EINTR
            if interrupts.consume() {
                Self.write("^C\n")
                return .interrupted
            }
            if !isSignal { return .end }
        }
    }

    func recall(_ input: String) { editline_add_to_history(history, input) }

    /// Returns the object that a callback belongs to.
    private static func owner(of editor: OpaquePointer?) -> EditLine? {
        guard let editor, let context = editline_context(editor) else { return nil }
        // takeUnretainedValue: `next` runs on the object now, so its caller keeps it.
        return Unmanaged<EditLine>.fromOpaque(context).takeUnretainedValue()
    }

    /// Does what Tab does, and returns how libedit continues.
    private func completeWord() -> Int32 {
        switch complete(textBeforeCursor) {
        case .nothing: return CC_ERROR
        case .replace(let count, let text):
            el_deletestr(editor, Int32(clamping: count))
            return el_insertstr(editor, text) == 0 ? CC_REFRESH : CC_ERROR
        case .list(let candidates):
            let width = ShellTerminal.process.size()?.columns ?? 80
            Self.write("\n" + CompletionColumns.text(candidates, width: width))
            return CC_REDISPLAY
        }
    }

    private var textBeforeCursor: String {
        guard let line = el_line(editor)?.pointee, let start = line.buffer, let cursor = line.cursor else {
            return ""
        }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: cursor - start), as: UTF8.self)
    }

    private static func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }

    /// Makes the C library decode what the user types as UTF-8, whatever the language of the environment.
    private static func useUTF8() {
        let chosen = setlocale(LC_CTYPE, "").map { String(cString: $0).lowercased() } ?? ""
        if !chosen.contains("utf") { setlocale(LC_CTYPE, "C.UTF-8") }
    }
}
#endif
