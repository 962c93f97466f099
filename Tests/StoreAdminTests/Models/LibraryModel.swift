/// A model with every kind of property and option; the folder `Generated` contains the source that is generated for it.
///
/// To generate it again after a change, write the text to a file and run
/// `storectl model generate --swift --model library.model.json --out Tests/StoreAdminTests/Models/Generated` with the folder removed.
enum LibraryModel {
    static let text = #"""
        {
          "entities": {
            "Author": {
              "attributes": {
                "address": {
                  "default": {"city": "Rome", "default": true, "street": "Via Appia 1"},
                  "optional": true,
                  "parts": {
                    "city": {"maximumLength": 80, "type": "string"},
                    "default": {"default": false, "type": "bool"},
                    "geo": {"optional": true, "precision": 9, "renamedFrom": "position", "scale": 6, "type": "decimal"},
                    "street": {"type": "string"}
                  },
                  "type": "composite"
                },
                "biography": {"external": 65536, "optional": true, "type": "string"},
                "bookCount": {"derived": {"count": "books"}, "type": "int64"},
                "born": {"maximum": "2026-08-01T12:00:00Z", "minimum": "1900-01-01T00:00:00Z", "optional": true, "type": "date"},
                "fee": {"default": 12.5, "maximum": 1000, "minimum": 0.5, "precision": 12, "scale": 2, "type": "decimal"},
                "key": {"generated": "uuid", "type": "uuid"},
                "lastSale": {"derived": {"maximum": "books.publishedAt"}, "optional": true, "type": "date"},
                "name": {"maximumLength": 120, "minimumLength": 1, "pattern": "^[A-Z][a-z\\-]+( [^\"]+)*$", "preservedOnDeletion": true, "renamedFrom": "fullName", "type": "string"},
                "pages": {"derived": {"sum": "books.pages"}, "hashModifier": "2", "type": "int64"},
                "portrait": {"external": 4096, "optional": true, "transformer": "compressed image", "type": "data"},
                "searchName": {"derived": {"canonical": "name"}, "type": "string"},
                "secret": {"transformer": "sealed", "type": "codable"},
                "isOpen": {"default": false, "transient": true, "type": "bool"},
                "draft": {"optional": true, "transient": true, "type": "string"},
                "settings": {"default": {"colors": ["red", null, 1.5, -3], "isOn": true, "more": {}}, "type": "codable"},
                "notes": {"optional": true, "type": "codable"},
                "visits": {"default": -7, "maximum": -1, "minimum": -100, "type": "int16"}
              },
              "indexes": [
                {"properties": ["name", "-born"]},
                {"properties": ["address.city"]},
                {"properties": ["born"]},
                {"properties": ["name"], "where": "bookCount > 3 AND name != \"x\""}
              ],
              "relationships": {
                "books": {"deleteRule": "cascade", "inverse": "author", "maximumCount": 5000, "minimumCount": 1, "ordered": true, "to": "Book", "toMany": true},
                "friends": {"inverse": "friends", "to": "Author", "toMany": true},
                "passport": {"deleteRule": "cascade", "inverse": "owner", "optional": true, "to": "Passport"},
                "spouse": {"inverse": "spouse", "optional": true, "to": "Author"},
                "mentors": {"inverse": "pupils", "to": "Author", "toMany": true},
                "pupils": {"inverse": "mentors", "to": "Author", "toMany": true}
              },
              "renamedFrom": "Writer",
              "unique": [["name"], ["name", "born"]]
            },
            "Book": {
              "attributes": {
                "authorName": {"derived": {"copy": "author.name"}, "type": "string"},
                "isbn": {"pattern": "[0-9]{13}", "type": "string"},
                "pages": {"default": 100, "minimum": 1, "type": "int32"}
              },
              "relationships": {
                "author": {"inverse": "books", "to": "Author"},
                "repeat": {"deleteRule": "noAction", "optional": true, "to": "Data"},
                "tags": {"inverse": "media", "renamedFrom": "labels", "hashModifier": "tags of the second edition of the model, which were written by hand", "to": "Tag", "toMany": true}
              },
              "superentity": "Medium",
              "indexes": [{"properties": ["publishedAt"]}],
              "unique": [["isbn"], ["author", "title"]]
            },
            "Data": {
              "attributes": {
                "blob": {"default": "AQID", "type": "data"},
                "empty": {"default": "", "type": "data"},
                "class": {"default": "a \"quoted\" \\ text", "type": "string"},
                "digits": {"default": 12345678901234567890.123456789, "optional": true, "precision": 38, "scale": 10, "type": "decimal"},
                "small": {"default": 0.07, "type": "decimal", "precision": 38, "scale": 10},
                "exact": {"default": 0.1, "maximum": 0.9, "minimum": 0.1, "type": "float"},
                "home": {"default": "https://example.org/a?b=c", "type": "url"},
                "homepage": {"optional": true, "type": "url", "default": "https://example.org"},
                "lines": {"default": "one\ntwo\tthree\u200b", "type": "string"},
                "ratio": {"default": "infinity", "maximum": "infinity", "minimum": 0, "type": "double"},
                "seenAt": {"default": "2026-08-01T12:00:00.123456Z", "type": "date"},
                "updatedAt": {"derived": "now", "type": "date"},
                "createdAt": {"generated": "now", "type": "date"},
                "token": {"default": "0F5B8F5E-7F0C-4B5E-9D4B-0C5F5E5B5E5B", "optional": true, "type": "uuid"},
                "tokenOfTheAdministratorOfTheStore": {"default": "0F5B8F5E-7F0C-4B5E-9D4B-0C5F5E5B5E5B", "type": "uuid"},
                "address": {"parts": {"city": {"type": "string"}}, "type": "composite"}
              },
              "hashModifier": "a text that is so long that the attribute of the class does not fit on a line"
            },
            "Film": {
              "attributes": {"minutes": {"default": 90.5, "optional": true, "type": "double"}},
              "superentity": "Medium"
            },
            "Medium": {
              "abstract": true,
              "attributes": {
                "publishedAt": {"optional": true, "type": "date"},
                "title": {"type": "string"},
                "lowerTitle": {"derived": {"lowercased": "title"}, "type": "string"}
              },
              "indexes": [{"properties": ["title"]}]
            },
            "Passport": {
              "attributes": {"number": {"type": "string"}},
              "relationships": {"owner": {"inverse": "passport", "to": "Author"}},
              "unique": [["number"], ["owner"]]
            },
            "Tag": {
              "relationships": {"media": {"deleteRule": "deny", "inverse": "tags", "to": "Book", "toMany": true}}
            },
            "Team": {}
          },
          "format": 1
        }
        """#
}
