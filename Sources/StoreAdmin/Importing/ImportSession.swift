import ContextCore

/// A session over another program's database, so that it can be copied and compared like a store of this library.
///
/// It reads what copying and comparing need: the keys of an entity, rows by their keys, links, and counts. There is no history, and the
/// owner of the reader closes it.
protocol ImportSession: ReadSession {
    /// What the session reads, as the subject of a sentence: `A store of Core Data`.
    static var sourceName: String { get }
}

extension ImportSession {
    var transactionsAfterGap: [StoreToken] { [] }

    func history(_ request: HistoryRequest) throws -> [HistoryTransaction] { [] }

    func end() {}

    /// The error for a request that neither copying nor comparing makes.
    static var unsupportedError: StoreError {
        StoreError(
            .unsupportedRequest, "\(sourceName) can only be copied and compared.",
            remedy: "Import it, and send the request to the new store.")
    }

    /// Returns the page of keys that a plan requests; throws if it requests anything else.
    func keyPage(_ plan: FetchPlan, _ model: ObjectModel) throws -> KeyPage {
        guard plan.columns == [], plan.offset == 0, let limit = plan.limit else {
            throw Self.unsupportedError
        }
        let isDescending = plan.order.first?.isDescending == true
        switch plan.predicate {
        case nil: return KeyPage(first: 1, limit: limit, isDescending: isDescending)
        case .compare(let left, .greater, let right)?:
            guard left == .key(of: model.layouts[plan.entityIndex]), case .int(let key)? = right.constant,
                key < .max
            else { throw Self.unsupportedError }
            return KeyPage(first: key + 1, limit: limit, isDescending: isDescending)
        default: throw Self.unsupportedError
        }
    }

    /// Throws unless a plan requests the number of objects.
    func checkCounts(_ plan: AggregatePlan) throws {
        guard plan.columns == [.rowCount], plan.predicate == nil, plan.groupBy.isEmpty else {
            throw Self.unsupportedError
        }
    }
}

/// Some of the keys of an entity, in order.
struct KeyPage {
    /// The least key.
    let first: Int64
    /// The maximum number of keys.
    let limit: Int
    let isDescending: Bool

    /// The direction as SQL writes it.
    var order: String { isDescending ? "DESC" : "ASC" }
}
