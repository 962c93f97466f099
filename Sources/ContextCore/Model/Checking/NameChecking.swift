/// Checks that names are valid in Swift, SQL and predicates, and that they don't collide.
///
/// Entities of one inheritance tree share a table, so their properties share its columns. A to-one relationship becomes the
/// column `game_id`, and `game_order` too if its inverse is ordered; a composite's part becomes `address_city`, and a many-to-many
/// relationship the table `Game_players`.
struct NameChecking {
    let hierarchy: EntityHierarchy
    let inverses: InverseResolution

    func check(_ problems: inout ModelProblems) {
        var tables = NameClaims(kind: "table")
        for entity in hierarchy.entities where checkEntityName(entity.name, &problems) {
            tables.claim(entity.name, entity: entity.name, property: nil, &problems)
        }
        for root in hierarchy.entities.indices where hierarchy.superentities[root] == nil {
            var columns = NameClaims(kind: "column")
            for index in hierarchy.family(of: root) {
                checkProperties(of: index, &columns, &tables, &problems)
            }
        }
    }

    private func checkEntityName(_ name: String, _ problems: inout ModelProblems) -> Bool {
        guard Self.isIdentifier(name) else {
            problems.report(.invalidName, name, nil, Self.invalidName(name))
            return false
        }
        let folded = SnakeCase.name(name)
        if name.hasPrefix("_") || ReservedNames.entities.contains(name)
            || ReservedNames.entityPrefixes.contains(where: folded.hasPrefix)
        {
            problems.report(
                .reservedName, name, nil,
                "The name is reserved for the library and for stores: give the entity another name.")
        }
        return true
    }

    private func checkProperties(
        of index: Int, _ columns: inout NameClaims, _ tables: inout NameClaims,
        _ problems: inout ModelProblems
    ) {
        let entity = hierarchy.entities[index]
        for attribute in entity.attributes {
            guard checkPropertyName(attribute.name, of: entity.name, &problems),
                columns.claim(attribute.name, entity: entity.name, property: attribute.name, &problems),
                case .composite(let parts) = attribute.type
            else { continue }
            for part in parts where checkPart(part.name, of: attribute.name, entity.name, &problems) {
                columns.claim(
                    "\(attribute.name)_\(part.name)", entity: entity.name, property: attribute.name, &problems
                )
            }
        }
        for relationship in entity.relationships
        where checkPropertyName(relationship.name, of: entity.name, &problems) {
            guard
                columns.claim(relationship.name, entity: entity.name, property: relationship.name, &problems)
            else { continue }
            let inverse = inverses.inverse(of: relationship, declaredAt: index)
            if !relationship.isToMany {
                let suffixes = inverse?.isOrdered == true ? ["_id", "_order"] : ["_id"]
                for suffix in suffixes {
                    columns.claim(
                        relationship.name + suffix, entity: entity.name, property: relationship.name,
                        &problems)
                }
            } else if inverse?.isToMany == true {
                tables.claim(
                    "\(entity.name)_\(relationship.name)", entity: entity.name, property: relationship.name,
                    &problems)
            }
        }
    }

    private func checkPropertyName(_ name: String, of entity: String, _ problems: inout ModelProblems) -> Bool
    {
        guard Self.isIdentifier(name) else {
            problems.report(.invalidName, entity, name, Self.invalidName(name))
            return false
        }
        if name.hasPrefix("_") {
            problems.report(
                .reservedName, entity, name,
                "Names that begin with an underscore are reserved for stores: remove the underscore.")
        } else if ReservedNames.properties.contains(name) {
            problems.report(
                .reservedName, entity, name,
                "Managed objects already have a member of this name: give the property another name.")
        }
        return true
    }

    private func checkPart(
        _ part: String, of attribute: String, _ entity: String, _ problems: inout ModelProblems
    ) -> Bool {
        guard Self.isIdentifier(part) else {
            problems.report(.invalidName, entity, "\(attribute).\(part)", Self.invalidName(part))
            return false
        }
        return true
    }

    private static func invalidName(_ name: String) -> String {
        name.isEmpty
            ? "A name can't be empty: give one."
            : "“\(name)” isn't a valid name in both Swift and SQL: begin it with a letter, and use only ASCII letters, digits and "
                + "underscores."
    }

    /// Whether a name has ASCII letters, digits and underscores only, which all databases fold and truncate in the same way.
    private static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
