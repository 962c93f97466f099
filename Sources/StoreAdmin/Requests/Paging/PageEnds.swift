import ContextCore

/// The positions at both ends of a page, from which the pages next to it follow.
struct PageEnds: Equatable {
    /// The bound with which the page was read; nil for the first page.
    let bound: KeysetBound?
    /// The first and the last row of the page; nil if the page is empty.
    let first: KeysetPosition?
    let last: KeysetPosition?
    /// Whether there are more rows in the direction in which the page was read.
    let hasMore: Bool
    /// Whether the first page starts after the first row, because of an offset.
    var skipsRows = false

    /// The position after which the next page starts; nil if there is none.
    ///
    /// There was a row at the position of the bound. If the page is empty, it ends where the caller came from.
    var next: KeysetPosition? {
        switch bound {
        case nil, .after: hasMore ? last : nil
        case .before(let position): last ?? position
        }
    }

    /// The position before which the previous page ends; nil if there is none.
    var previous: KeysetPosition? {
        switch bound {
        case nil: skipsRows ? first : nil
        case .after(let position): first ?? position
        case .before: hasMore ? first : nil
        }
    }

    /// Returns the members of a JSON document with the cursors of both pages.
    func json(_ request: RequestIdentity) -> [String: JSONValue] {
        func cursor(_ position: KeysetPosition?) -> JSONValue {
            position.map { .string(PageCursor($0, of: request).text) } ?? .null
        }
        return ["next": cursor(next), "previous": cursor(previous)]
    }

    /// Returns the line below a table that says how to go on; nil if the page is the last one.
    func footer(_ request: RequestIdentity) -> String? {
        next.map { "--after \(PageCursor($0, of: request).text) shows more." }
    }
}
