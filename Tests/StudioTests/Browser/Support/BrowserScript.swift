/// Texts of scripts that run in a page.
enum BrowserScript {
    /// Functions that every script can call: `all` returns the visible elements of a selector, with a text if one is given; `column` the texts
    /// of a column of the grid; `isSettled` whether the view has loaded everything.
    static let functions = """
        const all = (selector, text = null) => [...document.querySelectorAll(selector)].filter((node) =>
          node.checkVisibility() && (text === null || node.textContent.trim() === text));
        const titles = () => [...document.querySelectorAll('#main .grid .column-title')].map((node) => node.firstChild.textContent);
        const column = (name) => [...document.querySelectorAll('#main .grid tbody tr')].map((row) =>
          row.cells[titles().indexOf(name)]?.textContent);
        const cell = (row, name) => document.querySelectorAll('#main .grid tbody tr')[row]?.cells[titles().indexOf(name)];
        const main = () => document.getElementById('main').textContent;
        const isSettled = () => !document.querySelector('#main .loading, #main [aria-busy="true"]')
          && document.getElementById('main').childElementCount > 0;

        """

    /// A script that evaluates an expression with the functions; `values` are its arguments.
    static func evaluation(_ expression: String) -> String {
        functions + "const values = arguments[0]; return (\(expression));"
    }

    /// An asynchronous script that ends as soon as an expression is true, with its value, or else after a time, with null.
    static func wait(_ expression: String) -> String {
        functions + """
            const [values, milliseconds, done] = arguments;
            let isDone = false;
            const end = (value) => {
              if (isDone) return;
              isDone = true;
              observer.disconnect();
              clearInterval(timer);
              clearTimeout(limit);
              done(value);
            };
            const check = () => {
              let value = null;
              try { value = \(expression); } catch (error) { if (!(error instanceof TypeError)) throw error; }
              if (value) end(value);
            };
            const observer = new MutationObserver(check);
            observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
            // The focus and the values of fields change without a mutation.
            const timer = setInterval(check, 50);
            const limit = setTimeout(() => end(null), milliseconds);
            check();
            """
    }

    /// An asynchronous script that goes to a view, and ends after the page has handled the change of its address.
    static let goTo = """
        const [place, done] = arguments;
        if (location.hash === place) done(true);
        else {
          addEventListener('hashchange', () => done(true), { once: true });
          location.hash = place;
        }
        """
}
