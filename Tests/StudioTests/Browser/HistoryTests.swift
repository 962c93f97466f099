import Foundation
import Testing

extension BrowserTests {
    /// The list of saves and its filters, and the plan of a migration.
    @Suite struct HistoryTests {
        private static let saves = "all('.save-number').map((node) => node.textContent)"

        @Test(arguments: StudioPlace.available)
        func `Saves are filtered by author, process and entity`(place: StudioPlace) throws {
            let studio = try ClubStudio(place)
            let browser = studio.browser
            try studio.changeElsewhere(
                #"{"update":"Player:9","set":{"score":7}}"#, author: "Ann", program: "importer")
            try studio.changeElsewhere(#"{"update":"Game:3","set":{"title":"Morris"}}"#, author: "Ann")
            try browser.goTo("#/history")
            let all: [String] = try browser.value(of: Self.saves)
            let (last, former) = (try #require(all.first), try #require(all.dropFirst().first))
            try browser.replaceText(of: "[aria-label=Process]", with: "importer")
            try browser.wait("\(Self.saves).join() === values[0]", former)
            #expect(try browser.value(of: "location.hash") == "#/history?process=importer")
            try browser.replaceText(of: "[aria-label=Process]", with: "none")
            try browser.wait("main().includes('No saves fit.')")
            try browser.goTo("#/history?author=Ann&process=storectl")
            try browser.wait("\(Self.saves).join() === values[0]", last)
            try browser.goTo("#/history?author=Ann&entity=Player")
            try browser.wait("\(Self.saves).join() === values[0]", former)
            try studio.expectNoProblems()
        }

        @Test(arguments: StudioPlace.available)
        func `The script of a migration is shown for either database`(place: StudioPlace) throws {
            let studio = try ClubStudio(place)
            let browser = studio.browser
            let (own, other) = place == .sqlite ? ("sqlite", "postgres") : ("postgres", "sqlite")
            try browser.goTo("#/migrations")
            for backend in ["", other] {
                try showScript(studio, backend)
                try browser.wait(
                    "document.querySelector('dialog').textContent.includes('The store has the last version.')"
                )
                try browser.press(.escape)
            }
            try studio.write(
                Club.model.replacing(
                    #""score":{"#, with: #""seen":{"optional":true,"type":"date"},"score":{"#),
                to: "next.json")
            try studio.process.run(["model", "freeze", "V2", "--model", "next.json"])
            try studio.process.run(["migrate", "new", "V1", "V2"])
            var scripts: Set<String> = []
            for (choice, backend) in [("", own), (other, other)] {
                try showScript(studio, choice)
                try browser.wait("all('dialog pre').length === 1")
                let shown: String = try browser.value(of: "document.querySelector('dialog pre').textContent")
                let printed = try studio.process.run(
                    ["migrate", "script"] + (choice.isEmpty ? [] : ["--for", backend, "--from", "V1"]))
                #expect(shown.trimmingCharacters(in: .newlines) == printed.trimmingCharacters(in: .newlines))
                #expect(shown.contains("ALTER TABLE") && shown.contains("seen"), "\(shown)")
                scripts.insert(shown)
                try browser.press(.escape)
            }
            #expect(scripts.count == 2)
            try studio.expectNoProblems()
        }

        /// Opens the dialog with the script, and chooses a database.
        private func showScript(_ studio: ClubStudio, _ backend: String) throws {
            let browser = studio.browser
            try browser.wait("all('dialog').length === 0")
            try browser.click("#main button", "SQL script")
            try browser.wait("all('dialog [aria-busy]').length === 0")
            if !backend.isEmpty {
                try browser.click(at: "document.querySelector('dialog option[value=\(backend)]')")
            }
            try browser.wait("document.querySelector('dialog select').value === values[0]", backend)
            try browser.wait("all('dialog [aria-busy]').length === 0")
        }
    }
}
