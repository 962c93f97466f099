import ContextCore
import Testing

/// Model files with mistakes, each of which is reported with its position and its own message.
struct ModelFileMistakeTests {
    /// The lines of a valid file, which the tests change.
    private static let lines = [
        "{",
        "  \"entities\": {",
        "    \"Game\": {",
        "      \"attributes\": {",
        "        \"title\": {\"type\": \"string\"},",
        "        \"price\": {\"precision\": 9, \"scale\": 2, \"type\": \"decimal\"}",
        "      },",
        "      \"indexes\": [",
        "        {\"properties\": [\"title\", \"-price\"]}",
        "      ],",
        "      \"relationships\": {",
        "        \"players\": {\"inverse\": \"game\", \"to\": \"Player\", \"toMany\": true}",
        "      },",
        "      \"unique\": [",
        "        [\"title\"]",
        "      ]",
        "    },",
        "    \"Player\": {",
        "      \"relationships\": {",
        "        \"game\": {\"optional\": true, \"to\": \"Game\"}",
        "      }",
        "    }",
        "  },",
        "  \"format\": 1",
        "}",
    ]

    private static func problems(replacing line: Int, with text: String) -> String {
        var lines = lines
        lines[line - 1] = text
        return problems(lines.joined(separator: "\n"))
    }

    private static func problems(_ text: String) -> String {
        do {
            _ = try ObjectModel(fileText: text, fileName: "V2")
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func `The file without mistakes is a model`() {
        #expect(Self.problems(Self.lines.joined(separator: "\n")) == "")
    }

    @Test(arguments: [
        (
            24, "  \"format\": 2",
            "24:13: The file has the format 2, but this version of the library reads formats up to 1: use a newer version."
        ),
        (24, "  \"format\": 0", "24:13: There is no format 0: the oldest format is 1."),
        (24, "  \"format\": \"1\"", "24:13: “format” must be a whole number, not a string."),
        (24, "  \"formt\": 1", "1:1: A model file needs “format”: add it."),
        (
            24, "  \"format\": 1, \"Entities\": {}",
            "24:16: A model file has no “Entities”: did you mean “entities”?"
        ),
        (24, "  \"format\": 1,", "24:14: A comma isn't allowed before “}”: remove it."),
        (
            24, "  \"format\": 1, \"format\": 1",
            "24:16: “format” occurs twice in this object, first in line 24: remove one."
        ),
        (
            24, "  \"format\": 1 // the first",
            "24:15: Expected a comma or “}”, found a comment, which JSON doesn't allow."
        ),
    ])
    func `Mistakes at the top level of the file`(line: Int, text: String, message: String) {
        #expect(Self.problems(replacing: line, with: text).hasPrefix("V2:\(message)"))
    }

    @Test(arguments: [
        ("{}", "5:18: An attribute needs “type”: add it."),
        ("\"string\"", "5:18: Expected a JSON object for an attribute, found a string."),
        (
            "{\"type\": \"text\"}",
            "5:27: “type” can't be “text”: use one of “bool”, “codable”, “composite”, “data”, “date”, “decimal”, “double”, “float”, “int16”, “int32”, “int64”, “string”, “url”, “uuid”."
        ),
        ("{\"type\": \"strnig\"}", "5:27: “type” can't be “strnig”: did you mean “string”?"),
        ("{\"type\": 3}", "5:27: “type” must be a string, not a number."),
        (
            "{\"type\": \"string\", \"optinal\": true}",
            "5:37: An attribute has no “optinal”: did you mean “optional”?"
        ),
        ("{\"type\": \"string\", \"colour\": true}", "5:37: An attribute has no “colour”: remove it."),
        (
            "{\"type\": \"string\", \"foreignKey\": \"game\"}",
            "5:37: An attribute has no “foreignKey”: remove it."
        ),
        ("{\"type\": \"string\", \"optional\": 1}", "5:49: “optional” must be true or false, not a number."),
        (
            "{\"type\": \"string\", \"external\": 1.5}",
            "5:49: “external” must be a whole number, not a number."
        ),
        ("{\"type\": \"string\", \"precision\": 3}", "5:37: An attribute has no “precision”: remove it."),
        ("{\"type\": \"decimal\", \"precision\": 3}", "5:18: An attribute needs “scale”: add it."),
        ("{\"type\": \"composite\"}", "5:18: An attribute needs “parts”: add it."),
        (
            "{\"type\": \"composite\", \"parts\": {\"a\": {\"type\": \"bol\"}}}",
            "5:64: “type” can't be “bol”: did you mean “bool”?"
        ),
        (
            "{\"type\": \"composite\", \"parts\": {\"a\": {\"type\": \"bool\"}}, \"default\": {\"b\": true}}",
            "5:86: The “default” of a composite has no “b”: did you mean “a”?"
        ),
        (
            "{\"type\": \"bool\", \"default\": 1}",
            "5:46: The “default” of a Boolean must be true or false."
        ),
        (
            "{\"type\": \"int64\", \"default\": 1.0}",
            "5:47: The “default” of a 64-bit integer must be a whole number of at most 64 bits."
        ),
        (
            "{\"type\": \"double\", \"default\": 1e999}",
            "5:48: The “default” of a 64-bit floating-point number must be a number, “infinity” or “-infinity”."
        ),
        (
            "{\"type\": \"date\", \"default\": \"2026-02-30\"}",
            "5:46: The “default” of a date must be a string with a date and time such as “2026-08-01T12:00:00Z”."
        ),
        (
            "{\"type\": \"uuid\", \"default\": \"x\"}",
            "5:46: The “default” of a UUID must be a string with a UUID."
        ),
        (
            "{\"type\": \"data\", \"default\": \"*\"}",
            "5:46: The “default” of data must be a string with bytes in base64."
        ),
        (
            "{\"type\": \"int64\", \"minimum\": \"a\"}",
            "5:47: The “minimum” of a 64-bit integer must be a whole number of at most 64 bits."
        ),
        (
            "{\"type\": \"date\", \"generated\": \"today\"}",
            "5:48: “generated” can't be “today”: use one of “now”, “uuid”."
        ),
        (
            "{\"type\": \"date\", \"generated\": \"now\", \"default\": \"2026-01-01\"}",
            "5:55: An attribute has either a “default” or a “generated” value: remove one."
        ),
        (
            "{\"type\": \"date\", \"transient\": true, \"derived\": \"now\"}",
            "5:54: An attribute is either “transient” or “derived”: remove one."
        ),
        (
            "{\"type\": \"date\", \"derived\": \"later\"}",
            "5:46: A derivation must be “now”, or an object with one of “canonical”, “copy”, “count”, “lowercased”, “maximum”, “minimum”, “sum”."
        ),
        (
            "{\"type\": \"int64\", \"derived\": {\"cuont\": \"players\"}}",
            "5:48: There is no derivation “cuont”: did you mean “count”?"
        ),
        (
            "{\"type\": \"int64\", \"derived\": {\"count\": 3}}",
            "5:57: “count” must be a string, not a number."
        ),
        (
            "{\"type\": \"int64\", \"derived\": {\"sum\": \"players\"}}",
            "5:55: “sum” needs a to-many relationship and an attribute, as in “players.score”."
        ),
        (
            "{\"type\": \"int64\", \"default\": \"0\"}",
            "5:47: The “default” of a 64-bit integer must be a whole number of at most 64 bits."
        ),
        // Errors of the model's validation have a position too.
        (
            "{\"type\": \"int16\", \"default\": 40000}",
            "5:9: Game.title: Its default must fit a 16-bit integer: correct it."
        ),
        (
            "{\"type\": \"string\", \"pattern\": \"(\"}",
            "5:9: Game.title: The pattern “(” can't be read as a regular expression: a “(” has no “)”. Correct the pattern."
        ),
        (
            "{\"type\": \"int64\", \"derived\": {\"count\": \"teams\"}}",
            "5:9: Game.title: “Game” has no to-many relationship “teams”: correct the name."
        ),
        (
            "{\"type\": \"string\"}, \"Title\": {\"type\": \"string\"}",
            "5:9: Game.title: In SQL it becomes the column “title”, and Game.Title becomes “Title”, and databases that ignore case can't distinguish them: rename one."
        ),
        (
            "{\"type\": \"string\"}, \"_id\": {\"type\": \"int64\"}",
            "5:38: Game._id: Names that begin with an underscore are reserved for stores: remove the underscore."
        ),
    ])
    func `Mistakes in an attribute`(text: String, message: String) {
        #expect(Self.problems(replacing: 5, with: "        \"title\": \(text),") == "V2:\(message)")
    }

    @Test(arguments: [
        ("{\"inverse\": \"game\", \"toMany\": true}", "12:20: A relationship needs “to”: add it."),
        (
            "{\"inverse\": \"game\", \"to\": \"Player\", \"toMany\": \"yes\"}",
            "12:66: “toMany” must be true or false, not a string."
        ),
        (
            "{\"inverse\": \"game\", \"to\": \"Player\", \"toMany\": true, \"deleteRule\": \"casacde\"}",
            "12:86: “deleteRule” can't be “casacde”: did you mean “cascade”?"
        ),
        (
            "{\"inverse\": \"game\", \"to\": \"Player\", \"toMany\": true, \"optional\": false}",
            "12:72: A to-many relationship can't be “optional”: remove it, or set a “minimumCount”."
        ),
        (
            "{\"inverse\": \"game\", \"to\": \"Player\", \"toMany\": true, \"foreignKey\": \"id\"}",
            "12:72: A relationship has no “foreignKey”: remove it."
        ),
        (
            "{\"inverse\": \"game\", \"to\": \"Plyer\", \"toMany\": true}",
            "12:9: Game.players: Its destination “Plyer” isn't in the model: add the entity, or correct the name."
        ),
        (
            "{\"inverse\": \"match\", \"to\": \"Player\", \"toMany\": true}",
            "12:9: Game.players: “Player” declares no relationship “match” to be the inverse: declare it there, or correct the name."
        ),
        (
            "{\"to\": \"Player\", \"toMany\": true}",
            "12:9: Game.players: A to-many relationship needs an inverse: declare a relationship to “Game” in “Player”, and name it as the inverse in one of the two."
        ),
        (
            "{\"inverse\": \"game\", \"to\": \"Player\", \"toMany\": true, \"minimumCount\": 3, \"maximumCount\": 2}",
            "12:9: Game.players: The minimum count is greater than the maximum count, so no object could be saved: correct them."
        ),
    ])
    func `Mistakes in a relationship`(text: String, message: String) {
        #expect(Self.problems(replacing: 12, with: "        \"players\": \(text)") == "V2:\(message)")
    }

    @Test(arguments: [
        (9, "        [\"title\"]", "9:9: Expected a JSON object for an index, found an array."),
        (9, "        {\"where\": \"x\"}", "9:9: An index needs “properties”: add it."),
        (9, "        {\"properties\": [3]}", "9:25: Expected a property's name as a string, found a number."),
        (
            9, "        {\"properties\": [\"title\", \"-colour\"]}",
            "9:34: Game.colour: An index can't use it: the entity has no such property. Correct the name."
        ),
        (
            9, "        {\"properties\": [\"-price\"], \"where\": \"price > 'much'\"}",
            "9:25: Game.price: The predicate of its index is invalid. “price > …”: a decimal number and a string can't be compared."
        ),
        (
            9, "        {\"properties\": [\"title\"], \"unique\": true}",
            "9:35: An index has no “unique”: remove it."
        ),
        (
            15, "        \"title\"",
            "15:9: Expected an array of property names for a unique constraint, found a string."
        ),
        (
            15, "        [\"title\", \"players\"]",
            "15:19: Game.players: A unique constraint can't use it: a to-many relationship has no column. Name the inverse in its own entity instead."
        ),
        (15, "        []", "3:5: Game: A unique constraint needs at least one property: name one."),
    ])
    func `Mistakes in an index or a constraint`(line: Int, text: String, message: String) {
        #expect(Self.problems(replacing: line, with: text) == "V2:\(message)")
    }

    @Test(arguments: [
        (
            18, "    \"Player\": { \"superentity\": \"Person\",",
            "18:5: Player: Its superentity “Person” isn't in the model: add it to the model, or correct the name."
        ),
        (
            18, "    \"Player\": { \"abstrct\": true,",
            "18:17: An entity has no “abstrct”: did you mean “abstract”?"
        ),
        (18, "    \"Player\": { \"attributes\": [],", "18:31: “attributes” must be an object, not an array."),
        (
            18, "    \"player\": { \"superentity\": \"Game\",",
            "12:9: Game.players: Its destination “Player” isn't in the model: add the entity, or correct the name."
        ),
        (
            3, "    \"Game\": { \"superentity\": \"Game\",",
            "3:5: Game: It inherits from itself through “Game”: remove the superentity of one entity of the cycle."
        ),
    ])
    func `Mistakes in an entity`(line: Int, text: String, message: String) {
        #expect(Self.problems(replacing: line, with: text) == "V2:\(message)")
    }

    @Test func `A duplicate name is reported with the first position`() {
        #expect(
            Self.problems(replacing: 18, with: "    \"Game\": {")
                == "V2:18:5: “Game” occurs twice in this object, first in line 3: remove one.")
    }

    @Test func `All mistakes are reported, in the order of their positions`() {
        let text = """
            {"entities": {
              "B": {"attributes": {"x": {"type": "itn64"}, "y": {"tpye": "bool"}}},
              "A": {"relationships": {"z": {"to": 3}}}
            }, "format": 1}
            """
        #expect(
            Self.problems(text) == """
                V2:2:38: “type” can't be “itn64”: did you mean “int64”?
                V2:2:53: An attribute needs “type”: add it.
                V2:3:39: “to” must be a string, not a number.
                """)
    }
}
