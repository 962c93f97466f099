import ContextCore
import Testing

@testable import StoreAdmin

/// Models that are inferred from tables.
struct ModelImportTests {
    private let authors = TableStructure(
        "authors",
        columns: [
            .init("author_id", "integer", .int64), .init("FULL_NAME", "text", .string),
            .init("born", "real", .double, isOptional: true),
        ], primaryKey: ["author_id"], uniqueColumns: [["FULL_NAME"]])

    private func model(_ tables: TableStructure...) throws -> ObjectModel {
        try ObjectModel(entities: ModelImport(tables).entities)
    }

    /// Describes relationships as `Book.author -> Author.books`, with their options.
    private func relationships(_ model: ObjectModel) -> [String] {
        model.layouts.flatMap { layout in
            layout.description.relationships.map { relationship in
                let many = relationship.isToMany ? "many " : relationship.isOptional ? "" : "one "
                return "\(layout.name).\(relationship.name) -> \(many)\(relationship.destinationName)"
                    + ".\(relationship.inverseName ?? "?"), \(relationship.deleteRule.rawValue)"
            }
        }
    }

    @Test(arguments: [
        ("movies", "Movie"), ("cookies", "Cookie"), ("series", "Series"), ("tv_series", "TvSeries"),
        ("Größe", "Grosse"), ("people", "Person"), ("categories", "Category"), ("addresses", "Address"),
        ("statuses", "Status"), ("status", "Status"), ("news", "News"), ("boxes", "Box"),
        ("shelves", "Shelf"), ("caches", "Cache"), ("orderLines", "OrderLine"), ("indices", "Index"),
        ("staff", "Staff"), ("staffs", "Staff"),
    ])
    func `An entity's name is the English singular of the table's`(table: String, entity: String) {
        #expect(ImportedNames.entity(table) == entity)
    }

    @Test(arguments: [
        ("Movie", "movies"), ("Category", "categories"), ("Series", "series"), ("Person", "people"),
        ("TvSeries", "tvSeries"), ("Box", "boxes"), ("Status", "statuses"), ("SalesPerson", "salesPeople"),
    ])
    func `A relationship's name is an English plural`(entity: String, collection: String) {
        #expect(ImportedNames.collection(entity) == collection)
    }

    @Test func `Names are converted to those of a model`() {
        let entities = [
            "books", "order_lines", "categories", "boxes", "bus", "status", "HTTPLog", "EMPLOYEE", "2fa",
            "pg_x",
            "sqlite_data",
        ].map(ImportedNames.entity)
        #expect(
            entities == [
                "Book", "OrderLine", "Category", "Box", "Bus", "Status", "HTTPLog", "Employee", "Table2fa",
                "TablePgX",
                "TableSqliteData",
            ])
        let properties = ["first_name", "firstName", "ID", "Größe", "1st", "order-date"].map(
            ImportedNames.property)
        #expect(properties == ["firstName", "firstName", "id", "grosse", "column1st", "orderDate"])
        #expect(
            ["author_id", "authorID", "AuthorKey", "id"].map(ImportedNames.reference) == [
                "author", "author", "author", "id",
            ])
        #expect(
            ["Category", "Box", "Day", "Author"].map(ImportedNames.collection) == [
                "categories", "boxes", "days", "authors",
            ])
    }

    @Test func `Columns become attributes, without surrogate keys`() throws {
        let imported = ModelImport([authors])
        let layout = try ObjectModel(entities: imported.entities).layouts[0]
        #expect(layout.name == "Author")
        #expect(layout.description.attributes.map(\.name) == ["born", "fullName"])
        #expect(layout.description.attributes.map(\.isOptional) == [true, false])
        #expect(layout.description.uniqueConstraints.map(\.properties) == [["fullName"]])
        #expect(
            imported.remarks.map(\.sentence) == [
                "authors.author_id: the primary key is not imported; objects have identifiers."
            ])
    }

    @Test func `Unsupported parts are reported`() {
        let imported = ModelImport([
            TableStructure(
                "place",
                columns: [
                    .init("code", "text", .string), .init("spot", "point", nil),
                    .init("made", "date", .date, isFilled: true), .init("any", "", nil),
                    .init("words", "tsvector", nil),
                ], primaryKey: ["code"], indexedColumns: [["spot"], ["made"]],
                references: [.init(["code", "spot"], to: "elsewhere")])
        ])
        #expect(imported.entities[0].indexes.map { $0.elements.map(\.property) } == [["made"]])
        #expect(imported.entities[0].attributes.map(\.name) == ["code", "spot", "made", "any"])
        #expect(imported.entities[0].attributes.map(\.type) == [.string, .string, .date, .string])
        #expect(imported.entities[0].uniqueConstraints.map(\.properties) == [["code"]])
        #expect(
            imported.remarks.map(\.sentence) == [
                "place.spot: the values of the type “point” become text.",
                "place.any: the column has no type; its values become text.",
                "place.words: no attribute type fits the column type “tsvector”.",
                "place.made: its default, or its expression, is not taken over; its values are.",
                "place.code, spot: the reference to elsewhere is not imported, because its table is not imported.",
                "place.spot: the index is not imported, because values become text or JSON.",
            ])
    }

    @Test func `Foreign keys become relationships with inverses and delete rules`() throws {
        let books = TableStructure(
            "books",
            columns: [
                .init("id", "integer", .int64), .init("author_id", "integer", .int64),
                .init("editor_id", "integer", .int64, isOptional: true), .init("title", "text", .string),
            ], primaryKey: ["id"], uniqueColumns: [["author_id", "title"]],
            indexedColumns: [["author_id"], ["title"]],
            references: [
                .init(["author_id"], to: "authors", deleteRule: .cascade),
                .init(["editor_id"], to: "authors", deleteRule: .nullify),
            ])
        let covers = TableStructure(
            "covers", columns: [.init("book_id", "integer", .int64), .init("image", "blob", .data)],
            primaryKey: ["book_id"], references: [.init(["book_id"], to: "books", deleteRule: .cascade)])
        let model = try model(authors, books, covers)
        #expect(
            relationships(model) == [
                "Author.booksOfAuthor -> many Book.author, cascade",
                "Author.booksOfEditor -> many Book.editor, nullify",
                "Book.author -> one Author.booksOfAuthor, nullify",
                "Book.cover -> Cover.book, cascade",
                "Book.editor -> Author.booksOfEditor, nullify", "Cover.book -> one Book.cover, nullify",
            ])
        let book = try #require(model.layouts.first { $0.name == "Book" }).description
        #expect(book.uniqueConstraints.map(\.properties) == [["author", "title"]])
        #expect(book.indexes.map { $0.elements.map(\.property) } == [["title"]])
    }

    @Test func `A table of two foreign keys is a many-to-many relationship`() throws {
        let books = TableStructure(
            "books", columns: [.init("id", "integer", .int64), .init("title", "text", .string)],
            primaryKey: ["id"])
        func link(
            _ name: String, _ one: (String, String), _ other: (String, String), isNumbered: Bool = false
        )
            -> TableStructure
        {
            TableStructure(
                name,
                columns: (isNumbered ? [.init("id", "integer", .int64)] : [])
                    + [.init(one.0, "integer", .int64), .init(other.0, "integer", .int64)],
                primaryKey: isNumbered ? ["id"] : [one.0, other.0],
                uniqueColumns: isNumbered ? [[one.0, other.0]] : [],
                references: [.init([one.0], to: one.1), .init([other.0], to: other.1)])
        }
        let model = try model(
            authors, books, link("wrote", ("author_id", "authors"), ("book_id", "books")),
            link("follows", ("follower_id", "authors"), ("idol_id", "authors"), isNumbered: true))
        #expect(
            relationships(model) == [
                "Author.books -> many Book.authors, nullify",
                "Author.followers -> many Author.idols, nullify",
                "Author.idols -> many Author.followers, nullify",
                "Book.authors -> many Author.books, nullify",
            ])
    }

    @Test func `A join table that another table refers to is an entity`() throws {
        let clubs = TableStructure(
            "clubs", columns: [.init("id", "integer", .int64), .init("name", "text", .string)],
            primaryKey: ["id"])
        let memberships = TableStructure(
            "memberships",
            columns: [
                .init("id", "integer", .int64), .init("author_id", "integer", .int64),
                .init("club_id", "integer", .int64),
            ], primaryKey: ["id"], uniqueColumns: [["author_id", "club_id"]],
            references: [.init(["author_id"], to: "authors"), .init(["club_id"], to: "clubs")])
        let fees = TableStructure(
            "fees", columns: [.init("membership_id", "integer", .int64), .init("sum", "integer", .int64)],
            references: [.init(["membership_id"], to: "memberships", deleteRule: .cascade)])
        let imported = ModelImport([authors, clubs, fees, memberships])
        #expect(imported.remarks.allSatisfy { $0.text.hasSuffix("objects have identifiers.") })
        #expect(
            relationships(try ObjectModel(entities: imported.entities)) == [
                "Author.memberships -> many Membership.author, deny",
                "Club.memberships -> many Membership.club, deny",
                "Fee.membership -> one Membership.fees, nullify",
                "Membership.author -> one Author.memberships, nullify",
                "Membership.club -> one Club.memberships, nullify",
                "Membership.fees -> many Fee.membership, cascade",
            ])
    }

    @Test func `A foreign key of several columns becomes a relationship beside its columns`() throws {
        let lines = TableStructure(
            "lines",
            columns: [
                .init("order", "integer", .int64), .init("number", "integer", .int64, isOptional: true),
            ],
            references: [.init(["order", "number"], to: "items", referencedColumns: ["order", "number"])])
        let items = TableStructure(
            "items", columns: [.init("order", "integer", .int64), .init("number", "integer", .int64)],
            primaryKey: ["order", "number"])
        let imported = ModelImport([items, lines])
        let model = try ObjectModel(entities: imported.entities)
        #expect(
            relationships(model) == [
                "Item.lines -> many Line.item, deny", "Line.item -> Item.lines, nullify",
            ])
        #expect(model.layouts[1].description.attributes.map(\.name) == ["number", "order"])
        #expect(
            imported.remarks.map(\.sentence) == [
                "lines.order, number: the reference to items becomes a relationship, and its columns stay properties."
            ])
    }

    @Test func `A column stays an attribute if it refers to a table that is not imported`() {
        let notes = TableStructure(
            "notes", columns: [.init("game_id", "integer", .int64)],
            references: [.init(["game_id"], to: "elsewhere")])
        #expect(ModelImport([notes]).entities[0].attributes.map(\.name) == ["gameId"])
    }

    @Test func `Links that prevented deletions are reported, since they no longer do`() {
        let wrote = TableStructure(
            "wrote", columns: [.init("author_id", "integer", .int64), .init("idol_id", "integer", .int64)],
            primaryKey: ["author_id", "idol_id"],
            references: [
                .init(["author_id"], to: "authors", deleteRule: .cascade),
                .init(["idol_id"], to: "authors", deleteRule: .deny),
            ])
        #expect(
            ModelImport([authors, wrote]).remarks.last?.sentence
                == "wrote.idol_id: the database denies deleting a row of authors with links; deleting the object deletes its links."
        )
    }

    @Test func `Names that are used or reserved get a number`() throws {
        let model = try model(
            TableStructure("game", columns: [.init("a", "text", .string)]),
            TableStructure(
                "games", columns: [.init("isFault", "text", .string), .init("b", "text", .string)]),
            TableStructure(
                "player",
                columns: [
                    .init("game", "text", .string), .init("game_id", "integer", .int64),
                    .init("Name", "text", .string), .init("name_", "text", .string),
                ], references: [.init(["game_id"], to: "game")]))
        #expect(model.layouts.map(\.name) == ["Game", "Game2", "Player"])
        #expect(model.layouts[1].description.attributes.map(\.name) == ["b", "isFault2"])
        #expect(model.layouts[2].description.attributes.map(\.name) == ["game", "name", "name2"])
        #expect(model.layouts[2].description.relationships.map(\.name) == ["game2"])
    }
}
