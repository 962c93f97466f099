import ContextCore
import Foundation
import Testing

@testable import StoreAdmin

struct ConfigurationTests {
    private let bench: AdminBench

    init() throws {
        bench = try AdminBench()
        try bench.write(
            """
            {
              "default": "dev",
              "stores": {
                "dev": "sqlite:dev.sqlite",
                "prod": {
                  "url": "postgres://app@db.example.com/shop",
                  "options": {"schema": "shop"},
                  "password": {"env": "DB_PASSWORD"},
                  "production": true
                }
              }
            }
            """, to: "storectl.json")
    }

    @Test func `Config show prints each setting with its source`() throws {
        let file = bench.folder + "/storectl.json"
        let rows = bench.run("config", "show", "--origin", "-o", "csv").output
        #expect(
            rows == """
                store,setting,value,origin\r
                ,default,dev,\(file):2:14\r
                dev,url,sqlite:dev.sqlite,\(file):4:12\r
                prod,url,postgres://app@db.example.com/shop,\(file):6:14\r
                prod,schema,shop,\(file):7:29\r
                prod,password,from the variable DB_PASSWORD,\(file):8:19\r
                prod,production,true,\(file):9:21\r

                """)
        #expect(!bench.run("config", "show").output.contains(file))
        #expect(try bench.json("config", "show")["default"] == .string("dev"))
    }

    @Test func `Config path prints the files`() throws {
        #expect(bench.run("config", "path").output == bench.folder + "/storectl.json\n")
        try FileManager.default.removeItem(atPath: bench.folder + "/storectl.json")
        #expect(bench.run("config", "path").exit == .inputMissing)
    }

    @Test func `Config check finds a missing secret, and a password in a URL`() throws {
        let missing = bench.run("config", "check")
        #expect(missing.exit == .differences)
        #expect(missing.output.contains("the environment variable DB_PASSWORD, which"))
        bench.variables["DB_PASSWORD"] = "hunter2"
        #expect(bench.run("config", "check").output == "no problems found\n")
        try bench.write(#"{"stores": {"a": "postgres://app:hunter3@db/shop"}}"#, to: "storectl.json")
        let exposed = bench.run("config", "check")
        #expect(exposed.exit == .differences)
        #expect(exposed.output.contains("has a password in a URL."))
        #expect(!exposed.output.contains("hunter3"))
    }

    @Test func `A mistake in the file is reported with its position, and exits with 78`() throws {
        try bench.write(#"{"stores": {"a": {"url": "sqlite:a", "prodution": true}}}"#, to: "storectl.json")
        let outcome = bench.run("status")
        #expect(outcome.exit.rawValue == 78)
        #expect(
            outcome.problems.contains(
                "storectl.json:1:38: A store has no “prodution”: did you mean “production”?"))
    }

    @Test func `A setting that the backend doesn't support is rejected before anything is opened`() throws {
        let outcome = bench.run("status", "-s", "sqlite:a.sqlite?jurnal=wal")
        #expect(outcome.exit == .configuration)
        #expect(outcome.problems.contains("Did you mean journal?"))
        #expect(bench.run("status", "-s", "sqlit:a").problems.contains("Did you mean sqlite:?"))
        #expect(bench.run("status", "-s", "prdo").problems.contains("Did you mean prod?"))
    }

    @Test func `Another file can be selected`() throws {
        try bench.write(#"{"stores": {"only": "sqlite:only.sqlite"}}"#, to: "other.json")
        #expect(bench.run("config", "show", "--config", "other.json").output.contains("only"))
        #expect(bench.run("config", "show", "--config", "none.json").exit == .configuration)
    }

    @Test func `A selected file takes precedence over variables of other programs`() throws {
        try bench.write(#"{"stores": {"only": "sqlite:only.sqlite"}}"#, to: "other.json")
        bench.variables["DATABASE_URL"] = "sqlite:database.sqlite"
        #expect(bench.run("status").problems.contains("database.sqlite"))
        #expect(bench.run("status", "--config", "other.json").problems.contains("only.sqlite"))
        bench.variables["STORECTL_URL"] = "sqlite:chosen.sqlite"
        #expect(bench.run("status", "--config", "other.json").problems.contains("chosen.sqlite"))
    }

    @Test func `A tenant's store is a production store if the shared address is, by its own URL too`()
        throws
    {
        try bench.write(
            """
            {"stores": {"schema": {"url": "postgres://app@db.example.com/shop?schema=games", "production": true},
            "public": {"url": "postgres://app@db.example.com/all", "production": true},
            "files": {"url": "sqlite:shop.sqlite", "production": true}, "dev": "sqlite:dev.sqlite"}}
            """, to: "storectl.json")
        for (url, isProduction) in [
            ("postgres://other@DB.example.com:5432/shop?schema=games$acme", true),
            ("postgres://app@db.example.com/shop?schema=games$No", false),
            ("postgres://app@db.example.com/shop?schema=gamesacme", false),
            ("postgres://app@db.example.com/shop?schema=acme", false),
            ("postgres://app@other.example.com/shop?schema=games$acme", false),
            ("postgres://app@db.example.com/all?schema=public$acme", true),
            ("postgres://app@db.example.com/all?schema=acme", false),
            ("sqlite:shop.acme.sqlite", true), ("sqlite:\(bench.folder)/shop.acme.sqlite", true),
            ("sqlite:shop.acme.db", false), ("sqlite:other/shop.acme.sqlite", false),
            ("sqlite:dev.acme.sqlite", false),
        ] {
            let store = try bench.tool.store(url, config: nil)
            #expect(store.isProduction == isProduction, "\(url)")
        }
        #expect(try bench.tool.store("files", tenant: "acme", config: nil).isProduction)
        #expect(
            try bench.tool.store("files", tenant: "acme", config: nil).tenant?.hasOwnProductionEntry == false)
        #expect(try !bench.tool.store("dev", tenant: "acme", config: nil).isProduction)
    }

    @Test func `A production store is recognized by any address`() throws {
        bench.variables["DB_PASSWORD"] = "hunter2"
        for url in [
            "postgres://app@db.example.com/shop?schema=shop",
            "postgresql://other@DB.example.com:5432/shop?schema=shop",
        ] {
            #expect(try bench.tool.store(url, config: nil).isProduction, "\(url)")
        }
        for url in [
            "postgres://app@db.example.com/shop", "postgres://app@db.example.com/other?schema=shop",
            "sqlite:dev.sqlite",
            "postgres://app@db.example.com:5433/shop?schema=shop",
        ] {
            #expect(try !bench.tool.store(url, config: nil).isProduction, "\(url)")
        }
    }
}
