/// A section of a store's report.
struct ReportSection: Sendable {
    /// The contents of a section that could be made.
    struct Contents: Sendable {
        let markup: Markup
        /// The number of findings that need attention.
        var findingCount = 0
        /// The result in a few words, for the summary.
        let result: String
    }

    /// The name of the section in links and in documents.
    let name: String
    let title: String
    let contents: Result<Contents, AdminError>

    /// Makes a section; an error becomes its contents.
    init(_ name: String, _ title: String, _ makeContents: () throws -> Contents) {
        self.name = name
        self.title = title
        do {
            contents = .success(try makeContents())
        } catch {
            contents = .failure(AdminError(error))
        }
    }

    var findingCount: Int { (try? contents.get())?.findingCount ?? 0 }

    /// The error that prevented making the section.
    var error: AdminError? {
        if case .failure(let error) = contents { error } else { nil }
    }

    /// The result in a few words.
    var result: String {
        switch contents {
        case .success(let contents): contents.result
        case .failure: "failed"
        }
    }

    /// The name as an identifier, which stays the same if it is a part of a secret.
    var anchor: Markup { Markup(escapedText: name) }

    /// The class of the result in the style sheet.
    var resultClass: Markup { error != nil ? "failed" : findingCount > 0 ? "attention" : "fine" }

    var markup: Markup {
        """
        <section id="\(anchor)" aria-labelledby="\(anchor)-title">
        <h2 id="\(anchor)-title">\(title)</h2>
        \(body)</section>

        """
    }

    private var body: Markup {
        switch contents {
        case .success(let contents): return contents.markup
        case .failure(let error):
            let hint: Markup = error.hint.map { "<p class=\"remedy\">\($0)</p>\n" } ?? ""
            return """
                <div class="failed box"><p>This section couldn't be made (\(error.code)).</p>
                <p class="message">\(error.message)</p>
                \(hint)</div>

                """
        }
    }
}
