import ContextCore
import Foundation

/// Reads a document of changes, and collects all of its errors with their places.
///
/// ```json
/// {"changes": [
///   {"update": "Player:12", "version": 3, "set": {"score": 5, "game": "g"}, "base": {"score": 1}},
///   {"insert": "Game", "as": "g", "set": {"title": "Chess"}},
///   {"delete": "Game:2", "version": 1}
/// ]}
/// ```
struct ChangeReader {
    /// The number of changes of a document, all of which are in memory until they are saved.
    static let changeLimit = 10_000
    /// The number of errors in a message.
    private static let problemLimit = 50
    /// The number of names above which an error suggests none of them.
    private static let comparedLimit = 1_000

    let model: ObjectModel
    private(set) var problems: [String] = []
    /// The values that don't have the form of their attributes.
    var failures: [ChangeFailure] = []
    /// The index and the entity of each insertion with a temporary name.
    private(set) var insertions: [String: (index: Int, entity: EntityLayout)] = [:]
    /// The index of the change of each stored object.
    private var changesByAddress: [DeletionTrace.Address: Int] = [:]
    private var deletions: Set<DeletionTrace.Address> = []
    private var uris: [ChangeRequest.URI] = []

    private init(_ model: ObjectModel) { self.model = model }

    /// Reads a document.
    ///
    /// - Parameter source: The name of the file in messages.
    /// - Throws: ``AdminError`` with all errors of the document's form, of names and of references. A value that doesn't have the form of
    ///   its attribute is a failure of the request instead.
    static func request(_ data: Data, model: ObjectModel, source: String) throws -> ChangeRequest {
        let root: JSONNode
        do {
            root = try JSONDocument(data).root
        } catch {
            throw AdminError.badData("\(source):\(error.description)")
        }
        var reader = ChangeReader(model)
        let request = reader.read(root)
        if reader.problems.isEmpty { return request }
        let more = reader.problems.count - problemLimit
        throw AdminError.badData(
            (["the changes can't be read."] + reader.problems.prefix(problemLimit)
                + (more > 0 ? ["… and \(more) more"] : [])).joined(separator: "\n"),
            hint: "Run 'storectl help change' for the form of changes.")
    }

    mutating func report(_ place: ChangePlace, _ message: String) { problems.append("\(place): \(message)") }

    // MARK: The document

    private mutating func read(_ root: JSONNode) -> ChangeRequest {
        var request = ChangeRequest()
        guard case .object(let members) = root.content else {
            problems.append("the document must be an object with “changes”, not \(root.kindName).")
            return request
        }
        var nodes: [JSONNode]?
        for member in members {
            switch (member.name, member.value.content) {
            case ("changes", .array(let elements)): nodes = elements
            case ("changes", _): problems.append("changes: must be an array, not \(member.value.kindName).")
            case ("dryRun", .bool(let value)): request.isDry = value
            case ("dryRun", _):
                problems.append("dryRun: must be true or false, not \(member.value.kindName).")
            default: problems.append(unknownMember(member.name, of: "the document", ["changes", "dryRun"]))
            }
        }
        guard let nodes else {
            if problems.isEmpty { problems.append("the document needs “changes”, an array: add it.") }
            return request
        }
        if nodes.isEmpty { problems.append("changes: the array is empty.") }
        if nodes.count > Self.changeLimit {
            problems.append(
                "changes: there are \(nodes.count), and \(Self.changeLimit) fit into one save. "
                    + "Import many objects with 'storectl data import'.")
            return request
        }
        // The heads of all changes come first, because a change may refer to a later insertion.
        var heads: [(change: RequestedChange, members: [JSONMember])] = []
        for (index, node) in nodes.enumerated() {
            if let head = readHead(node, index) { heads.append(head) }
        }
        request.changes = heads.map { head in
            var change = head.change
            let errorCount = problems.count + failures.count
            for member in head.members { readPart(member, &change) }
            if problems.count + failures.count == errorCount { check(change) }
            return change
        }
        (request.failures, request.uris) = (failures, uris)
        return request
    }

    func unknownMember(_ name: String, of owner: String, _ known: [String]) -> String {
        let near = nearest(to: name, among: known)
        let shown = TextTable.escapingControlCharacters(String(name.prefix(80)))
        return "\(owner) has no “\(shown)”" + (near.map { ": did you mean “\($0)”?" } ?? ": remove it.")
    }

    /// Returns the nearest of some names; nil if none is similar, if there are very many, or if the error isn't shown any more.
    ///
    /// A document with thousands of names would otherwise be compared for minutes.
    func nearest(to name: String, among names: [String]) -> String? {
        guard problems.count < Self.problemLimit, names.count <= Self.comparedLimit else { return nil }
        return Spelling.nearest(to: name, among: names)
    }

    // MARK: The head of a change

    /// Reads what a change does to which object, and returns it with its members.
    private mutating func readHead(_ node: JSONNode, _ index: Int) -> (RequestedChange, [JSONMember])? {
        let place = ChangePlace.root[index]
        guard case .object(let members) = node.content else {
            report(place, "must be an object, not \(node.kindName).")
            return nil
        }
        let actions = members.filter { RequestedChange.Action(rawValue: $0.name) != nil }
        guard actions.count == 1, let action = RequestedChange.Action(rawValue: actions[0].name) else {
            report(place, "needs exactly one of “insert”, “update” and “delete”.")
            return nil
        }
        guard case .string(let subject) = actions[0].value.content else {
            report(place.member(action.rawValue), "must be a string, not \(actions[0].value.kindName).")
            return nil
        }
        let subjectPlace = place.member(action.rawValue)
        let change =
            action == .insert
            ? insertion(subject, name: temporaryName(members, place), place, subjectPlace)
            : change(action, of: subject, version: version(members, place), place, subjectPlace)
        guard let change else { return nil }
        register(change, index, subjectPlace)
        return (change, members)
    }

    private mutating func insertion(
        _ entityName: String, name: String?, _ place: ChangePlace, _ subjectPlace: ChangePlace
    ) -> RequestedChange? {
        guard let entity = entity(entityName, subjectPlace) else { return nil }
        if entity.isAbstract {
            report(
                subjectPlace,
                "\(entity.name) is abstract, so it can't have objects: insert an object of a subentity.")
            return nil
        }
        return RequestedChange(
            place: place, action: .insert, entity: entity, key: nil, name: name, version: nil)
    }

    private mutating func change(
        _ action: RequestedChange.Action, of subject: String, version: Int64?, _ place: ChangePlace,
        _ subjectPlace: ChangePlace
    ) -> RequestedChange? {
        guard let (entity, key) = storedObject(subject, subjectPlace) else { return nil }
        return RequestedChange(
            place: place, action: action, entity: entity, key: key, name: nil, version: version)
    }

    /// Records the subject of a change, to which others may refer and which no other may change.
    private mutating func register(_ change: RequestedChange, _ index: Int, _ place: ChangePlace) {
        if let name = change.name {
            if let earlier = insertions[name] {
                report(
                    change.place.member("as"),
                    "\(ChangePlace.root[earlier.index]) has the same name “\(name)”.")
            } else {
                insertions[name] = (index, change.entity)
            }
        }
        guard let address = change.address else { return }
        if let earlier = changesByAddress[address] {
            report(place, "\(ChangePlace.root[earlier]) changes the same object: combine them.")
        } else {
            changesByAddress[address] = index
        }
        if change.action == .delete { deletions.insert(address) }
    }

    private mutating func temporaryName(_ members: [JSONMember], _ place: ChangePlace) -> String? {
        guard let member = members.first(where: { $0.name == "as" }) else { return nil }
        let place = place.member("as")
        guard case .string(let name) = member.value.content else {
            report(place, "must be a string, not \(member.value.kindName).")
            return nil
        }
        let isValid =
            !name.isEmpty && name.utf8.count <= 100
            && name.unicodeScalars.allSatisfy {
                $0.value > 0x20 && $0.value != 0x7F && $0 != ":" && $0 != "/"
            }
        if isValid { return name }
        report(place, "must be a name of at most 100 bytes without spaces, “:” and “/”.")
        return nil
    }

    private mutating func version(_ members: [JSONMember], _ place: ChangePlace) -> Int64? {
        guard let member = members.first(where: { $0.name == "version" }) else { return nil }
        if case .null = member.value.content { return nil }
        if case .number(let number) = member.value.content, let version = number.int64, version > 0 {
            return version
        }
        report(place.member("version"), "must be a whole number greater than 0, as 'storectl get' prints it.")
        return nil
    }

    // MARK: References

    mutating func entity(_ name: String, _ place: ChangePlace) -> EntityLayout? {
        if let entity = model.layout(named: name) { return entity }
        let near = nearest(to: name, among: model.layouts.map(\.name))
        let shown = TextTable.escapingControlCharacters(String(name.prefix(80)))
        report(
            place, "the model has no entity “\(shown)”" + (near.map { ": did you mean \($0)?" } ?? "."))
        return nil
    }

    /// Reads the identifier of a stored object.
    private mutating func storedObject(_ text: String, _ place: ChangePlace) -> (EntityLayout, Int64)? {
        guard let reference = try? ObjectReference(text), reference.key > 0 else {
            report(place, "must be an object, such as Player:12.")
            return nil
        }
        if let id = ObjectID(uri: text) {
            uris.append(ChangeRequest.URI(place: place, text: text, storeID: id.storeID))
        }
        return entity(reference.entityName, place).map { ($0, reference.key) }
    }

    /// Reads the target of a relationship: a key, an identifier, or a temporary name.
    mutating func target(_ node: JSONNode, of destination: EntityLayout, _ place: ChangePlace)
        -> ChangeTarget?
    {
        switch node.content {
        case .number(let number):
            if let key = number.int64, key > 0 {
                return stored(destination, key, as: destination, place)
            }
        case .string(let text) where text.contains(where: { $0 == ":" || $0 == "/" }):
            guard let (entity, key) = storedObject(text, place) else { return nil }
            return stored(entity, key, as: destination, place)
        case .string(let name): return inserted(name, as: destination, place)
        case .null, .bool, .array, .object: break
        }
        report(
            place,
            "must be an object, such as \(destination.name):12, a key, or the name of an insertion.")
        return nil
    }

    private mutating func stored(
        _ entity: EntityLayout, _ key: Int64, as destination: EntityLayout, _ place: ChangePlace
    ) -> ChangeTarget? {
        guard entity.isKind(of: destination) || destination.isKind(of: entity) else {
            report(place, "refers to objects of \(destination.name), not of \(entity.name).")
            return nil
        }
        let address = DeletionTrace.Address(rootIndex: entity.rootIndex, key: key)
        if deletions.contains(address), let index = changesByAddress[address] {
            report(place, "\(entity.name):\(key) is deleted by \(ChangePlace.root[index]).")
            return nil
        }
        // The narrower of both entities.
        let narrow = entity.isKind(of: destination) ? entity : destination
        return .stored(entityIndex: narrow.index, key: key)
    }

    private mutating func inserted(_ name: String, as destination: EntityLayout, _ place: ChangePlace)
        -> ChangeTarget?
    {
        guard let insertion = insertions[name] else {
            let near = nearest(to: name, among: Array(insertions.keys))
            let shown = TextTable.escapingControlCharacters(String(name.prefix(80)))
            report(
                place,
                "no insertion is named “\(shown)”"
                    + (near.map { ": did you mean “\($0)”?" }
                        ?? "; a stored object is written like \(destination.name):12."))
            return nil
        }
        if insertion.entity.isKind(of: destination) { return .inserted(change: insertion.index) }
        report(
            place, "refers to objects of \(destination.name), but “\(name)” is of \(insertion.entity.name).")
        return nil
    }
}
