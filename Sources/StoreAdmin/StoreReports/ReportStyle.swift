/// The style sheet of a store's report.
///
/// The colors of texts differ from those behind them by a contrast of at least 4.5:1 (WCAG 2, level AA) in both appearances.
enum ReportStyle {
    static let text = """
        :root {
        color-scheme: light dark;
        --page: #ffffff; --text: #0f172a; --muted: #475569; --line: #cbd5e1; --head: #f1f5f9; --link: #1d4ed8;
        --bar: #64748b;
        --fine: #14532d; --fine-back: #f0fdf4; --attention: #713f12; --attention-back: #fef9c3;
        --failed: #7f1d1d; --failed-back: #fee2e2;
        }
        @media (prefers-color-scheme: dark) {
        :root {
        --page: #0f172a; --text: #e2e8f0; --muted: #a3b1c6; --line: #334155; --head: #1e293b; --link: #93c5fd;
        --bar: #94a3b8;
        --fine: #bbf7d0; --fine-back: #052e16; --attention: #fde68a; --attention-back: #422006;
        --failed: #fecaca; --failed-back: #450a0a;
        }
        }
        *, *::before, *::after { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; }
        body {
        margin: 0 auto; max-width: 84rem; padding: 2rem clamp(1rem, 4vw, 3rem) 4rem;
        background: var(--page); color: var(--text);
        font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
        }
        h1, h2, h3, p, dl, ul { margin: 0 0 0.75rem; }
        h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
        h1 { font-size: 2rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.375rem; }
        h3 { font-size: 1.125rem; margin-top: 1.5rem; }
        p { max-width: 72ch; overflow-wrap: anywhere; }
        section { border-top: 1px solid var(--line); margin-top: 2rem; padding-top: 1.5rem; }
        a { color: var(--link); text-underline-offset: 0.15em; }
        :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
        code { font: 0.875em ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
        .kind, .remark, .none, dt { color: var(--muted); }
        .kind { margin-bottom: 0.25rem; }
        .message { white-space: pre-line; }
        .remedy { font-weight: 600; }
        .box { border: 1px solid; border-radius: 0.5rem; max-width: 72ch; padding: 0.75rem 1rem; }
        .box > :last-child { margin-bottom: 0; }
        .fine { color: var(--fine); }
        .attention { color: var(--attention); }
        .failed { color: var(--failed); }
        .fine.box { background: var(--fine-back); }
        .attention.box { background: var(--attention-back); }
        .failed.box { background: var(--failed-back); }
        .facts { display: grid; gap: 0.75rem 2rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); }
        .facts > :first-child { grid-column: 1 / -1; }
        dt { font-size: 0.875rem; }
        dd { margin: 0; overflow-wrap: anywhere; unicode-bidi: isolate; }
        .results { display: grid; gap: 0 2rem; list-style: none; padding: 0; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); }
        .results li { border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; padding: 0.375rem 0; }
        .results .fine { color: var(--muted); }
        .results .attention, .results .failed { font-weight: 600; }
        .scroll { margin: 0 0 1rem; max-width: 100%; overflow: auto; }
        .figure { border: 1px solid var(--line); border-radius: 0.5rem; max-height: 80vh; }
        svg.diagram { display: block; }
        svg.bar { background: none; vertical-align: middle; }
        svg.bar rect { fill: var(--bar); }
        table { border-collapse: collapse; font-size: 0.9375rem; }
        caption { font-weight: 600; padding: 0 0 0.375rem; text-align: start; }
        th, td { border-bottom: 1px solid var(--line); padding: 0.375rem 1rem 0.375rem 0.5rem; text-align: start; unicode-bidi: isolate; vertical-align: top; }
        td { max-width: 60ch; overflow-wrap: break-word; }
        thead th { background: var(--head); white-space: nowrap; }
        tbody th { font-weight: 500; }
        .number { font-variant-numeric: tabular-nums; text-align: end; white-space: nowrap; }
        details { border-bottom: 1px solid var(--line); }
        summary { cursor: pointer; overflow-wrap: anywhere; padding: 0.375rem 0; }
        @media print {
        body { font-size: 10pt; max-width: none; padding: 0; }
        a { color: inherit; text-decoration: none; }
        h2, h3, caption, summary { break-after: avoid; }
        tr, .box, .facts > div { break-inside: avoid; }
        .scroll { max-height: none; overflow: visible; }
        svg.diagram { height: auto; max-width: 100%; }
        details::details-content { block-size: auto; content-visibility: visible; }
        }
        """
}
