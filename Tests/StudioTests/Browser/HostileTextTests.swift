import ChildProcesses
import Foundation
import Testing

extension BrowserTests {
    /// Markup and script in every kind of value and name that another user of the store may choose.
    @Suite struct HostileTextTests {
        @Test(arguments: StudioPlace.available)
        func `Every view shows every hostile text as text`(place: StudioPlace) throws {
            let studio = try HostileStore.studio(place)
            let holder = try HostileStore.holdOpen(studio, place)
            defer { holder.terminate() }
            // The columns that are hidden at first are shown, too.
            let _: Bool = try studio.browser.run(
                """
                const names = ['name', 'address', 'bytes', 'home.city', 'json', 'owner'];
                localStorage.setItem('studio.columns.Item', JSON.stringify(names));
                return true;
                """)
            try studio.browser.reload()
            try studio.browser.wait(
                "document.getElementById('sidebar').textContent.includes(values[0])", HostileStore.storeName)
            for view in HostileStore.views(place) {
                try studio.browser.goTo(view.place)
                for text in view.texts {
                    try studio.browser.wait("main().includes(values[0])", text)
                }
                try expectText(studio, view.place)
            }
            try expectTextOfCard(studio)
            try expectTextOfScript(studio)
            try expectTextOfChanges(studio)
        }

        /// Expects that no text of the store has become an element, and that no script but the page's own has run.
        private func expectText(_ studio: ClubStudio, _ what: String) throws {
            let odd: [String] = try studio.browser.run(
                """
                const elements = document.querySelectorAll(
                  'img:not(.preview), body script, .shell style, iframe, object, embed, base, [onerror], [onload], [onclick], [style*="url("]');
                const links = [...document.querySelectorAll('[href], [src], [action]')].filter((node) =>
                  /^\\s*javascript:/i.test(node.getAttribute('href') ?? node.getAttribute('src') ?? node.getAttribute('action')));
                return [...elements, ...links].map((node) => node.outerHTML);
                """)
            #expect(odd.isEmpty, "\(what): \(odd)")
            #expect(try studio.browser.value(of: "typeof window.hostile") == "undefined", "\(what)")
            #expect(try !studio.browser.showsAlert(), "\(what)")
            let problems = try studio.browser.problems()
            #expect(problems.isEmpty, "\(what): \(problems)")
        }

        /// Selects an entity of the diagram, whose card shows defaults and rules.
        private func expectTextOfCard(_ studio: ClubStudio) throws {
            try studio.browser.goTo("#/model")
            try studio.browser.click(".diagram-box[data-entity=Item]")
            try studio.browser.wait(
                "document.querySelector('.diagram-card').textContent.includes(values[0])",
                "default " + HostileStore.text)
            try expectText(studio, "the card of an entity")
        }

        /// Shows the SQL of the next migration, which has a default of the model.
        private func expectTextOfScript(_ studio: ClubStudio) throws {
            try studio.browser.goTo("#/migrations")
            try studio.browser.click("#main button", "SQL script")
            try studio.browser.wait(
                "document.querySelector('dialog pre').textContent.includes(values[0])", HostileStore.text)
            try expectText(studio, "the script of a migration")
            try studio.browser.press(.escape)
            try studio.browser.wait("all('dialog').length === 0")
        }

        /// Makes changes that aren't saved, with hostile texts before and after, and lets the store reject one.
        private func expectTextOfChanges(_ studio: ClubStudio) throws {
            let _: Bool = try studio.browser.run(
                """
                const load = (name) => import(new URL(name, document.baseURI));
                return Promise.all([load('pending.js'), load('session.js')]).then(async ([{ pending }, { loadObject }]) => {
                  const object = await loadObject('Item:1');
                  pending.setValue('Item:1', 'name', arguments[0].repeat(3), object);
                  pending.remove('Item:2', await loadObject('Item:2'));
                  pending.insert('Item', { name: arguments[0] });
                  return true;
                });
                """, [HostileStore.text])
            for place in ["#/changes", "#/object/Item:1", "#/object/new1"] {
                try studio.browser.goTo(place)
                try studio.browser.wait("main().includes(values[0])", HostileStore.text)
                try expectText(studio, place)
            }
            try studio.browser.goTo("#/changes")
            try studio.browser.click("#main button", "Save…")
            // The name is too long, and the new object has no owner.
            try studio.browser.wait("all('#main .problem').length > 0")
            try expectText(studio, "rejected changes")
        }
    }
}
