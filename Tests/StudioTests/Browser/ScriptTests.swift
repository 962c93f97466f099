import Testing

extension BrowserTests {
    /// Values of the store never become markup, and the page runs only its own scripts.
    @Suite struct ScriptTests {
        @Test(arguments: StudioPlace.available)
        func `Script in values and names is shown as text`(place: StudioPlace) throws {
            let studio = try ClubStudio(place, canWrite: true)
            let browser = studio.browser
            let change =
                #"{"update":"Player:4","version":1,"set":{"game":"Game:2","name":"\#(Club.script)"}}"#
            try studio.changeElsewhere(change, author: Club.script)
            for (place, shown) in [
                ("#/objects/Game", "column('title')[1] === values[0]"),
                ("#/object/Game:2", "all('#main h1', values[0]).length === 1"),
                ("#/object/Game:2", "column('name')[0] === values[0]"),
                ("#/objects/Player", "column('game')[3] === 'Game:2' + values[0]"),
                ("#/history", "main().includes(values[0])"),
                ("#/now", "main().includes(values[0])"),
            ] {
                try browser.goTo(place)
                try browser.wait(shown, Club.script)
                try expectNoMarkup(studio)
            }
            try deletePlayer(studio)
            try expectNoMarkup(studio)
        }

        /// Deletes Player:4, so that the value is in the list of changes.
        private func deletePlayer(_ studio: ClubStudio) throws {
            try studio.browser.goTo("#/object/Player:4")
            try studio.browser.click("#main button", "Delete")
            try studio.browser.wait("all('#main button', 'Keep').length === 1")
            try studio.browser.goTo("#/changes")
            try studio.browser.wait("main().includes(values[0])", Club.script)
        }

        @Test func `A page of another origin can't show the studio in a frame`() throws {
            let studio = try ClubStudio(.sqlite, canWrite: true)
            let browser = studio.browser
            // Neither with the cookie, nor by the address that sets it.
            let addresses = [
                "http://\(studio.process.host)\(studio.process.path)", studio.process.address,
                "http://\(studio.process.host)\(studio.process.path)api/query?request=Player",
            ]
            for address in addresses {
                try browser.open(browser.foreignPage)
                #expect(try browser.frame(browser.foreignPage).address == browser.foreignPage)
                _ = try browser.console()
                let framed = try browser.frame(address)
                // The browser shows an error of its own instead, not even the studio's refusal.
                #expect(framed.address.hasPrefix("chrome-error:"), "\(framed)")
                #expect(!framed.text.contains("Player") && !framed.text.contains("request"), "\(framed)")
                let messages = try browser.console().map(\.message)
                #expect(
                    messages.contains { $0.contains("frame-ancestors 'none'") },
                    "\(messages)")
            }
        }

        private func expectNoMarkup(_ studio: ClubStudio) throws {
            let made: Int = try studio.browser.value(
                of: "document.querySelectorAll('img, body script, .shell style').length")
            #expect(made == 0)
            #expect(try studio.browser.value(of: "document.title") as String != "planted")
            #expect(try !studio.browser.showsAlert())
            try studio.expectNoProblems()
        }

        @Test func `The policy stops other scripts, and a violation is logged`() throws {
            let studio = try ClubStudio(.sqlite)
            let hasRun: Bool = try studio.browser.run(
                """
                const script = document.createElement('script');
                script.textContent = 'window.hasRun = true';
                document.body.append(script);
                return Boolean(window.hasRun);
                """)
            #expect(!hasRun)
            #expect(try studio.browser.problems().contains { $0.message.contains("Content Security Policy") })
        }

        @Test func `An error of the page is logged`() throws {
            let studio = try ClubStudio(.sqlite)
            _ = try studio.browser.run("setTimeout(() => missing()); return true;", as: Bool.self)
            _ = try studio.browser.run(
                "return new Promise((resolve) => setTimeout(() => resolve(true)))", as: Bool.self)
            #expect(try studio.browser.problems().contains { $0.message.contains("missing") })
        }
    }
}
