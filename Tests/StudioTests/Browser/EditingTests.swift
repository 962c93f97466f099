import Testing

extension BrowserTests {
    /// Changes in the page, which are saved as one.
    @Suite struct EditingTests {
        @Test(arguments: StudioPlace.available)
        func `A rejected value is marked at its field, and saved once it is corrected`(place: StudioPlace)
            throws
        {
            let studio = try ClubStudio(place, canWrite: true)
            let browser = studio.browser
            try browser.goTo("#/objects/Player")
            try edit(studio, row: 4, "score", "many")
            try browser.wait("all('.editor .problem').length === 1")
            try browser.press(.escape)
            try edit(studio, row: 4, "score", "-5")
            try browser.wait("cell(4, 'score').matches('.changed') && cell(4, 'score').textContent === '-5'")
            try browser.press(.control, "s")
            try browser.wait("location.hash === '#/changes' && all('.change-card').length === 1")
            try browser.click("#main button", "Save…")
            try browser.wait("all('#main tr.failed .problem').length === 1")
            #expect(try browser.value(of: "all('dialog').length") == 0)
            #expect(try studio.stored("score", of: "Player:5") == "4")

            try browser.goTo("#/object/Player:5")
            try browser.wait("all('#main .property.failed .problem').length === 1")
            try browser.click("[aria-label='Edit score']")
            try browser.wait("document.activeElement.matches('.property.failed .editor input')")
            try browser.press(.control, "a")
            try browser.type("500")
            try browser.press(.enter)
            try browser.wait("all('#main .property.changed').length === 1")
            try save(studio, "Save")
            try browser.wait("all('.toast', 'Saved: 1 changed.').length === 1")
            #expect(try studio.stored("score", of: "Player:5") == "500")
            try studio.expectNoProblems()
        }

        /// Edits a value in the grid, by keys.
        private func edit(_ studio: ClubStudio, row: Int, _ column: String, _ text: String) throws {
            try studio.browser.wait("isSettled()")
            try studio.browser.click(at: "cell(values[0], values[1])", [row, column])
            try studio.browser.press(.f2)
            try studio.browser.wait("document.activeElement.matches('.grid .editor input')")
            try studio.browser.press(.control, "a")
            try studio.browser.type(text)
            try studio.browser.press(.enter)
        }

        /// Saves the pending changes, and agrees to what the dialog says.
        private func save(_ studio: ClubStudio, _ agreement: String) throws {
            try studio.browser.goTo("#/changes")
            try studio.browser.click("#main button", "Save…")
            try studio.browser.click("dialog button", agreement)
        }

        @Test(arguments: StudioPlace.available)
        func `The page takes no edit while a save is on its way`(place: StudioPlace) throws {
            let studio = try ClubStudio(place, canWrite: true)
            let browser = studio.browser
            try browser.goTo("#/objects/Player")
            try edit(studio, row: 4, "score", "500")
            try browser.wait("cell(4, 'score').textContent === '500'")
            // The page sends the save when the test calls `release`.
            let _: Bool = try browser.run(
                """
                const send = window.fetch;
                window.fetch = async (address, options) => {
                  if (JSON.parse(options?.body ?? '{}').dryRun === false) await new Promise((resolve) => { window.release = resolve; });
                  return send(address, options);
                };
                return true;
                """)
            try save(studio, "Save")
            try browser.wait("window.release && all('#main .save-message', 'Saving…').length === 1")
            try browser.press(.control, "z")
            try browser.goTo("#/object/Player:5")
            #expect(try browser.value(of: Self.reachesEditButton) == false)
            try browser.goTo("#/objects/Player")
            for key: BrowserKey in [.f2, .delete, "a"] { try browser.press(key) }
            let _: Bool = try browser.run("window.release(); return true;")
            try browser.wait("all('.toast', 'Saved: 1 changed.').length === 1")
            #expect(try studio.stored("score", of: "Player:5") == "500")
            #expect(
                try browser.value(of: "location.hash === '#/objects/Player' && all('.editor').length === 0"))

            try browser.goTo("#/object/Player:5")
            #expect(try browser.value(of: Self.reachesEditButton))
            try browser.goTo("#/objects/Player")
            try edit(studio, row: 4, "score", "501")
            try browser.wait("all('#sidebar .badge', '1').length === 1")
            try studio.expectNoProblems()
        }

        /// Whether a click at the button that edits the score reaches it.
        private static let reachesEditButton = """
            ((button) => {
              button.scrollIntoView();
              const { x, y, width, height } = button.getBoundingClientRect();
              return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
            })(document.querySelector("[aria-label='Edit score']"))
            """

        @Test(arguments: StudioPlace.available)
        func `A cascade is shown before a deletion`(place: StudioPlace) throws {
            let studio = try ClubStudio(place, canWrite: true)
            let browser = studio.browser
            try browser.goTo("#/object/Game:3")
            try browser.click("#main button", "Delete")
            try browser.wait("all('#main button', 'Keep').length === 1")
            try browser.goTo("#/changes")
            try browser.click("#main button", "Save…")
            try browser.wait(
                "document.querySelector('dialog').textContent.includes('The cascade deletes 3 more objects.')"
            )
            let cascaded: [String] = try browser.value(
                of:
                    "[...document.querySelectorAll('dialog .notice .effects li')].map((node) => node.textContent).sort()"
            )
            #expect(cascaded == ["Player:1", "Player:2", "Player:3"])
            try browser.click("dialog button", "Not yet")
            try browser.wait("all('dialog').length === 0")
            #expect(try studio.storedCount("Player") == 125)
            try browser.click("#main button", "Save…")
            try browser.click("dialog button", "Save and delete 4 objects")
            try browser.wait("all('.toast', 'Saved: 4 deleted.').length === 1")
            #expect(try studio.storedCount("Player") == 122)
            #expect(try studio.storedCount("Game") == 2)
            try studio.expectNoProblems()
        }

        @Test(arguments: StudioPlace.available)
        func `A new object is saved, and an edit is undone and redone`(place: StudioPlace) throws {
            let studio = try ClubStudio(place, canWrite: true)
            let browser = studio.browser
            try browser.goTo("#/objects/Game")
            try browser.press("a")
            try browser.wait("all('#main h1', 'New Game').length === 1")
            try browser.wait("document.activeElement.matches('.properties .editor input')")
            try browser.type("Chess")
            try browser.press(.enter)
            try browser.goTo("#/changes")
            try browser.wait("all('.change-card .after', 'Chess').length === 1")
            try browser.press(.control, "z")
            try browser.wait("all('.change-card .after', 'Chess').length === 0")
            try browser.press(.control, .shift, "Z")
            try browser.wait("all('.change-card .after', 'Chess').length === 1")
            try save(studio, "Save")
            try browser.wait("all('.toast', 'Saved: 1 added.').length === 1")
            #expect(try studio.storedCount("Game") == 4)
            try browser.goTo("#/objects/Game")
            try browser.wait("column('title')[3] === 'Chess'")
            try studio.expectNoProblems()
        }

        @Test(arguments: StudioPlace.available, ["mine", "theirs"])
        func `A conflict between two windows is decided`(place: StudioPlace, choice: String) throws {
            let studio = try ClubStudio(place, canWrite: true)
            let browser = studio.browser
            try browser.goTo("#/objects/Player")
            try edit(studio, row: 4, "name", "First")
            try browser.wait("cell(4, 'name').textContent === 'First'")
            let first = try browser.openWindow()
            try browser.open("http://\(studio.process.host)\(studio.process.path)#/objects/Player")
            try browser.wait("column('name')[4] === 'Player 5'")
            try edit(studio, row: 4, "name", "Second")
            try browser.wait("cell(4, 'name').textContent === 'Second'")
            try save(studio, "Save")
            try browser.wait("all('.toast', 'Saved: 1 changed.').length === 1")

            try browser.show(window: first)
            try browser.goTo("#/changes")
            try browser.click("#main button", "Save…")
            try browser.wait("all('dialog h2', 'Another save changed these objects').length === 1")
            let values: [String] = try browser.value(
                of: "[...document.querySelectorAll('.conflict tbody tr > *')].map((node) => node.textContent)"
            )
            #expect(values == ["name", "Player 5", "mine: First", "theirs: Second"])
            try browser.click(at: "document.querySelector(`.conflict input[value=${values[0]}]`)", [choice])
            try browser.click("dialog button", "Use these values")
            if choice == "mine" {
                try browser.click("dialog button", "Save")
                try browser.wait("all('.toast', 'Saved: 1 changed.').length === 1")
            } else {
                try browser.wait("main().includes('There are no pending changes.')")
            }
            #expect(try studio.stored("name", of: "Player:5") == (choice == "mine" ? "First" : "Second"))
            try studio.expectNoProblems()
        }

        @Test(arguments: StudioPlace.available)
        func `A page that only reads has no controls that change objects`(place: StudioPlace) throws {
            let studio = try ClubStudio(place)
            let browser = studio.browser
            try browser.wait("all('#sidebar .chip', 'read-only').length === 1")
            #expect(try browser.value(of: "all('#sidebar [data-view=changes]').length") == 0)
            let changing = ["Add", "Delete", "Link…", "New Player", "Save…", "Discard"]
            for view in [StudioView.objects, .object, .changes] {
                try browser.goTo(view.place)
                let shown: [String] = try browser.value(
                    of: "all('#main button').map((node) => node.textContent.trim())")
                #expect(changing.allSatisfy { !shown.contains($0) }, "\(view): \(shown)")
                #expect(try browser.value(of: "all(`[aria-label^='Edit ']`).length") == 0)
            }
            try browser.wait("main().includes('This page only reads the store.')")
            try browser.goTo("#/objects/Player")
            try browser.click(at: "cell(4, 'score')")
            for key: BrowserKey in [.f2, .delete, "a"] { try browser.press(key) }
            // The key that goes to another view comes after these, so that their effects would have been shown.
            try browser.press("o")
            try browser.wait("location.hash === '#/object/Player:5' && isSettled()")
            #expect(try browser.value(of: "document.querySelectorAll('.editor, .deleted').length") == 0)
            try studio.expectNoProblems()
        }
    }
}
