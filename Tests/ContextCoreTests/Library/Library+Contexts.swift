@testable import ContextCore

extension Library {
    /// Creates a context over the library, with a parent that counts its requests.
    func context() throws -> (context: ObjectContext, parent: CountingParent) {
        let parent = try CountingParent(coordinator)
        return (ObjectContext(model: coordinator.model, parent: parent), parent)
    }

    /// Saves the given number of authors, with the given number of books each.
    func fill(authors: Int, books: Int = 1) throws {
        let context = try context().context
        for number in 0..<authors {
            let author = Author(in: context, name: "author \(number)", born: number)
            for book in 0..<books { _ = Book(in: context, title: "book \(number) \(book)", author: author) }
        }
        try context.save()
    }
}
