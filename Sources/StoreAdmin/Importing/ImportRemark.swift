/// A difference between what another program keeps and the model that is made from it.
struct ImportRemark: Sendable, Equatable {
    enum Kind: String, Sendable {
        /// The model doesn't contain it.
        case omitted
        /// The model contains it in another form.
        case changed
    }

    let kind: Kind
    /// The entity, the property, the table or the column.
    let subject: String
    let text: String
    /// The part of the database's definition that the remark is about.
    var statement: String?

    var sentence: String { "\(subject): \(text)" }

    /// The sentence, and the statement in indented lines below it.
    ///
    /// - Parameter indentation: The spaces before the sentence.
    func lines(indentation: String = "") -> String {
        let lines = statement?.split(whereSeparator: \.isNewline) ?? []
        return ([indentation + sentence] + lines.map { indentation + "  " + $0 }).joined(separator: "\n")
    }
}
