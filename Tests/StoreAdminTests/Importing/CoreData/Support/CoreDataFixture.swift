import ContextCore
import Foundation

@testable import SQLiteBackend
@testable import StoreAdmin

/// A Core Data store with objects of ``SampleDataModel``, in the tables that Core Data makes for it.
struct CoreDataFixture {
    static let externalName = "0B1C2D3E-4F50-4172-8394-A5B6C7D8E9FA"
    static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    let folder: String
    var path: String { folder + "/App.sqlite" }

    static func model() throws -> CoreDataModel {
        try DataModelReader.model(XMLTree(reading: SampleDataModel.xml.utf8))
    }

    /// Creates `App.sqlite` in a folder, with its model and one value in a file.
    init(in folder: String) throws {
        self.folder = folder
        try Data().write(to: URL(fileURLWithPath: path))
        try execute(Self.tables)
        try execute(Self.rows)
        let cache = ModelArchiveWriter.cache(try Self.model())
        try execute(["INSERT INTO Z_MODELCACHE VALUES (\(Self.literal(cache)))"])
        let external = folder + "/.App_SUPPORT/_EXTERNAL_DATA"
        try FileManager.default.createDirectory(atPath: external, withIntermediateDirectories: true)
        try Data("external".utf8).write(to: URL(fileURLWithPath: external + "/" + Self.externalName))
    }

    /// Writes the model as `App.xcdatamodeld` with an older version, and returns its path.
    func writeModel() throws -> String {
        let path = folder + "/App.xcdatamodeld"
        let older = SampleDataModel.xml.replacing(
            #"<attribute name="speed""#, with: #"<attribute name="pace""#)
        for (name, xml) in [("App", older), ("App 2", SampleDataModel.xml)] {
            let version = "\(path)/\(name).xcdatamodel"
            try FileManager.default.createDirectory(atPath: version, withIntermediateDirectories: true)
            try Data(xml.utf8).write(to: URL(fileURLWithPath: version + "/contents"))
        }
        let list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>App 2.xcdatamodel</string></dict></plist>
            """
        try Data(list.utf8).write(to: URL(fileURLWithPath: path + "/.xccurrentversion"))
        return path
    }

    /// Writes the model as `App.momd` with an older version, and returns its path.
    func writeCompiledModel() throws -> String {
        let path = folder + "/App.momd"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let model = try Self.model()
        var older = model
        for place in older.entities.indices {
            older.entities[place].attributes.removeAll { $0.name == "score" }
        }
        try ModelArchiveWriter.data(older).write(to: URL(fileURLWithPath: path + "/App.mom"))
        try ModelArchiveWriter.data(model).write(to: URL(fileURLWithPath: path + "/App 2.mom"))
        let info = PropertyListValue.dictionary([
            "NSManagedObjectModel_CurrentVersionName": .string("App 2"),
            "NSManagedObjectModel_VersionHashes": .dictionary([
                "App 2": .dictionary(["Game": .data(Data([7]))])
            ]),
        ])
        try BinaryPropertyListWriter.data(info).write(to: URL(fileURLWithPath: path + "/VersionInfo.plist"))
        return path
    }

    func execute(_ statements: [String]) throws {
        let connection = try SQLiteConnection(path: path, access: .readAndWrite, timeout: .seconds(60))
        defer { connection.close() }
        for statement in statements { try connection.execute(statement) }
    }

    static func literal(_ data: Data) -> String {
        "X'" + data.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined() + "'"
    }

    static let tags = KeyedArchiveBuilder.data { $0.array([$0.text("a"), $0.text("b")]) }

    private static let tables = [
        """
        CREATE TABLE ZGAME ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPLAYERCOUNT INTEGER, \
        ZSTARTEDAT TIMESTAMP, ZLATITUDE FLOAT, ZPRIZE DECIMAL, ZTITLE VARCHAR, ZCITY VARCHAR, ZTAGS BLOB )
        """,
        """
        CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISHOST INTEGER, ZRANK INTEGER, \
        ZGAME INTEGER, Z_FOK_GAME INTEGER, ZSCORE FLOAT, ZSPEED FLOAT, ZNAME VARCHAR, ZNOTE VARCHAR, ZNOTE1 VARCHAR, \
        ZSITE VARCHAR, ZID BLOB )
        """,
        """
        CREATE TABLE ZPHOTO ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZOWNER INTEGER, Z2_OWNER INTEGER, \
        Z1PHOTOS INTEGER, ZIMAGE BLOB )
        """,
        """
        CREATE TABLE Z_1FANS ( Z_1FAVOURITES INTEGER, Z_2FANS INTEGER, Z_FOK_1FAVOURITES INTEGER, \
        PRIMARY KEY (Z_1FAVOURITES, Z_2FANS) )
        """,
        "CREATE TABLE Z_2FRIENDS ( Z_2FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_2FRIENDS, REFLEXIVE) )",
        """
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)
        """,
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
    ]

    private static let rows: [String] = {
        let metadata = PropertyListValue.dictionary([
            "NSStoreModelVersionHashes": .dictionary(["Game": .data(Data([7]))]),
            "NSStoreType": .string("SQLite"),
        ])
        let inline = Data([1] + Array("inline".utf8))
        let external = Data([2] + Array(externalName.utf8) + [0])
        return [
            "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Game', 0, 7), (2, 'Person', 0, 3), (3, 'Member', 2, 0), (4, 'Player', 2, 0)",
            "INSERT INTO Z_PRIMARYKEY VALUES (5, 'Photo', 0, 2), (16001, 'CHANGE', 0, 9)",
            """
            INSERT INTO Z_METADATA VALUES (1, '6F9619FF-8B86-4011-B42D-00C04FC964FF', \
            \(literal(BinaryPropertyListWriter.data(metadata))))
            """,
            """
            INSERT INTO ZGAME VALUES (1, 1, 5, 2, 700000000.5, 59.9, 10.25, 'Go', 'Oslo', \(literal(tags))), \
            (4, 1, 1, 0, 0, NULL, NULL, 'Chess', NULL, NULL)
            """,
            """
            INSERT INTO ZPERSON VALUES (1, 4, 2, 1, 3, 1, 2048, 12.5, 0.5, 'Ann', NULL, 'player', \
            'https://example.org/ann', X'0102030405060708090A0B0C0D0E0F10'), \
            (2, 4, 1, 0, 1, 1, 1024, 0.0, NULL, 'Bo', NULL, NULL, NULL, NULL), \
            (3, 3, 1, NULL, NULL, NULL, NULL, NULL, NULL, 'Cy', 'member', NULL, NULL, NULL)
            """,
            """
            INSERT INTO ZPHOTO VALUES (1, 5, 1, 3, 3, 1, \(literal(inline))), (2, 5, 1, NULL, NULL, NULL, \(literal(external)))
            """,
            "INSERT INTO Z_1FANS VALUES (1, 3, 2), (4, 3, 1)", "INSERT INTO Z_2FRIENDS VALUES (1, 3)",
        ]
    }()
}
