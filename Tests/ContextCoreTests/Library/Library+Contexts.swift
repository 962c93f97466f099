@testable import ContextCore

extension Library {
    /// A context of its own over the library, and what counts its requests.
    func context() throws -> (context: ObjectContext, parent: CountingParent) {
        let parent = try CountingParent(coordinator)
        return (ObjectContext(model: coordinator.model, parent: parent), parent)
    }

    /// Saves so many authors, each with as many books.
    func fill(authors: Int, books: Int = 1) throws {
        let context = try context().context
        for number in 0..<authors {
            let author = Author(in: context, name: "author \(number)", born: number)
            for book in 0..<books { _ = Book(in: context, title: "book \(number) \(book)", author: author) }
        }
        try context.save()
    }
}
