import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

/// A database of another program, with every kind of key and reference.
struct LibraryFixture {
    /// The store that the configuration of the calls names `source`.
    private let raw: RawStore

    /// Makes the tables, and a configuration with the stores `source` and `target`.
    init(in bench: AdminBench, from source: TestPlace, to target: TestPlace) throws {
        let url = source.freshURL()
        bench.variables["SOURCE"] = url
        bench.variables["TARGET"] = target.freshURL()
        try bench.write(
            #"{"stores": {"source": {"url": {"env": "SOURCE"}}, "target": {"url": {"env": "TARGET"}}}}"#,
            to: "storectl.json")
        if source == .sqlite { try bench.write("", to: String(url.dropFirst("sqlite:".count))) }
        raw = try RawStore(url, in: bench.folder)
        if source == .postgres {
            try raw.execute(["CREATE SCHEMA \(url.split(separator: "schema=").last ?? "")"])
        }
        try raw.execute(Self.tables(source) + Self.rows(source))
    }

    func execute(_ statements: String...) throws { try raw.execute(statements) }

    private static func tables(_ place: TestPlace) -> [String] {
        let isFile = place == .sqlite
        // A server adds the foreign key of a cycle later, and a file has tables without numbers of their rows.
        let favourite = isFile ? " REFERENCES book" : ""
        let tables = [
            "CREATE TABLE country (code text PRIMARY KEY, name text NOT NULL)",
            """
            CREATE TABLE author (id integer PRIMARY KEY, name text NOT NULL, born date, fee decimal(10, 2), \
            photo \(isFile ? "blob" : "bytea"), country text REFERENCES country, \
            mentor_id integer REFERENCES author (id), favourite_id integer\(favourite))
            """,
            """
            CREATE TABLE book (id integer PRIMARY KEY, title text NOT NULL, \
            author_id integer NOT NULL REFERENCES author ON DELETE CASCADE)
            """,
            "CREATE TABLE profile (author_id integer PRIMARY KEY REFERENCES author, bio text)",
            "CREATE TABLE tag (id integer PRIMARY KEY, label text UNIQUE)",
            """
            CREATE TABLE book_tag (book_id integer REFERENCES book, tag_id integer REFERENCES tag, \
            PRIMARY KEY (book_id, tag_id))
            """,
            """
            CREATE TABLE review (author_id integer NOT NULL REFERENCES author, book_id integer NOT NULL REFERENCES book, \
            stars smallint, PRIMARY KEY (author_id, book_id))\(isFile ? " WITHOUT ROWID" : "")
            """,
            """
            CREATE TABLE review_line (author_id integer, book_id integer, number integer, words text, \
            PRIMARY KEY (author_id, book_id, number), \
            FOREIGN KEY (author_id, book_id) REFERENCES review (author_id, book_id))
            """,
            "CREATE TABLE log (words text)",
        ]
        return isFile
            ? tables : tables + ["ALTER TABLE author ADD FOREIGN KEY (favourite_id) REFERENCES book"]
    }

    private static func rows(_ place: TestPlace) -> [String] {
        let photo = place == .sqlite ? "x'0102'" : #"'\x0102'"#
        return [
            "INSERT INTO country VALUES ('at', 'Austria'), ('no', 'Norway')",
            """
            INSERT INTO author VALUES (3, 'Ann', '1980-02-03', 10.25, \(photo), 'no', NULL, 11), \
            (7, 'Bo', NULL, NULL, NULL, NULL, 3, NULL)
            """,
            "INSERT INTO book VALUES (10, 'Go', 3), (11, 'Chess', 7)",
            "INSERT INTO profile VALUES (3, 'plays')",
            "INSERT INTO tag VALUES (1, 'old'), (2, NULL)",
            "INSERT INTO book_tag VALUES (10, 1), (10, 2), (11, 1)",
            "INSERT INTO review VALUES (7, 10, 4), (3, 11, NULL)",
            "INSERT INTO review_line VALUES (7, 10, 1, 'good'), (7, 10, 2, NULL)",
            "INSERT INTO log VALUES ('twice'), ('twice')",
        ]
    }

    /// What a store with the imported rows has, without the table `log`.
    static let objects: [String: [String: StoredValue]] = [
        "Country:1": ["code": .string("at"), "name": .string("Austria")],
        "Country:2": ["code": .string("no"), "name": .string("Norway")],
        "Author:3": [
            "name": .string("Ann"), "born": .timestamp(microseconds: 318_384_000_000_000),
            "fee": .decimal(Decimal(string: "10.25") ?? 0), "photo": .data(Data([1, 2])), "country": .int(2),
            "favourite": .int(11), "profile": .int(3),
        ],
        "Author:7": ["name": .string("Bo"), "mentor": .int(3)],
        "Book:10": ["title": .string("Go"), "author": .int(3), "tags": .composite([.int(1), .int(2)])],
        "Book:11": ["title": .string("Chess"), "author": .int(7), "tags": .composite([.int(1)])],
        "Profile:3": ["bio": .string("plays"), "author": .int(3)],
        "Tag:1": ["label": .string("old")], "Tag:2": [:],
        "Review:1": ["author": .int(3), "book": .int(11)],
        "Review:2": ["author": .int(7), "book": .int(10), "stars": .int(4)],
        "ReviewLine:1": [
            "authorId": .int(7), "bookId": .int(10), "number": .int(1), "words": .string("good"),
            "review": .int(2),
        ],
        "ReviewLine:2": ["authorId": .int(7), "bookId": .int(10), "number": .int(2), "review": .int(2)],
        "Log:1": ["words": .string("twice")], "Log:2": ["words": .string("twice")],
    ]
}
