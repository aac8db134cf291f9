/// The look of all pages. Colours are variables with a light and a dark value; each pair of text
/// and ground that is used has a contrast of 4.5 or more, which the browser check measures.
public enum PageStylesheet {
  /// The rules.
  public static let text = colours + frame + parts + lists + PillStyle.text

  private static let colours = """
    :root { color-scheme: light dark; --bg: #f4f6f9; --panel: #ffffff; --ink: #161a22;
      --soft: #586274; --line: #dfe4ec; --accent: #2a55d9; --accent-ink: #ffffff;
      --accent-soft: #e8eefd; --green: #0a6b45; --blue: #1f56c4; --violet: #6a35b5;
      --amber: #8a4b00; --red: #b3202c; --grey: #4d5768; --teal: #0b6674; --tint: 11%;
      --shadow: 0 1px 2px rgb(20 30 60 / .05), 0 4px 16px rgb(20 30 60 / .05); }
    @media (prefers-color-scheme: dark) { :root { --bg: #0e1116; --panel: #161b22; --ink: #e6ebf2;
      --soft: #9aa6b8; --line: #2a323d; --accent: #8fb0ff; --accent-ink: #0b1020;
      --accent-soft: #1c2740; --green: #5fd6a1; --blue: #86b2ff; --violet: #c5a3ff;
      --amber: #f0b45a; --red: #ff8f93; --grey: #aab5c5; --teal: #6fd3e0; --tint: 16%;
      --shadow: none; } }

    """

  private static let frame = """
    *, ::before, ::after { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; }
    body { margin: 0; background: var(--bg); color: var(--ink);
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
    main { max-width: 80rem; margin: 0 auto; padding: 1.25rem clamp(.875rem, 3vw, 2rem) 4rem; }
    main:focus { outline: none; }
    h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .75rem; }
    h2 { font-size: 1rem; margin: 0 0 .75rem; }
    a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
    code { font: .9em/1.4 ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; }
    code.whole { overflow-wrap: anywhere; } .facts code:not(.whole) { white-space: nowrap; }
    .soft { color: var(--soft); } time { white-space: nowrap; }
    .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
      white-space: nowrap; }
    .skip { position: absolute; left: 1rem; top: -4rem; background: var(--panel);
      padding: .5rem 1rem; border-radius: 0 0 8px 8px; z-index: 3; }
    .skip:focus { top: 0; }
    .top { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem;
      padding: 0 max(clamp(.875rem, 3vw, 2rem), (100% - 80rem) / 2 + 2rem);
      background: var(--panel);
      border-bottom: 1px solid var(--line); position: sticky; top: 0; z-index: 2; }
    .brand { display: flex; align-items: center; gap: .5rem; font-weight: 700; color: var(--ink);
      text-decoration: none; letter-spacing: -.01em; padding: .75rem 0; }
    .mark { fill: none; stroke-width: 2; stroke-linecap: round; }
    .mark-lanes { stroke: var(--soft); } .mark-steps { stroke: var(--accent); }
    .mark .mark-proof { fill: var(--green); stroke: none; }
    .top ul { display: flex; list-style: none; margin: 0; padding: 0; overflow-x: auto; }
    .top nav a { display: flex; gap: .375rem; align-items: center; padding: .875rem .75rem;
      color: var(--soft); text-decoration: none; font-weight: 500; white-space: nowrap;
      border-bottom: 2px solid transparent; }
    .top nav a:hover { color: var(--ink); }
    .top nav a:focus-visible { outline-offset: -4px; }
    .top nav a[aria-current] { color: var(--ink); border-color: var(--accent); }
    .count { background: var(--amber); color: var(--panel); border-radius: 1rem; font-size: .75rem;
      line-height: 1.25rem; min-width: 1.25rem; padding: 0 .375rem; text-align: center; }
    .who { margin-left: auto; display: flex; align-items: center; gap: .75rem; }
    @media (max-width: 48rem) { .top { position: static; }
      .top nav { order: 3; width: calc(100% + .75rem); margin: 0 -.375rem; }
      .top nav a { padding: .5rem .375rem .625rem; font-size: .875rem; }
      .brand { padding: .5rem 0; } }

    """

  private static let parts = """
    button, .button, input, select { font: inherit; color: inherit; border-radius: 8px;
      border: 1px solid var(--line); background: var(--panel); padding: .4375rem .75rem;
      min-height: 2.5rem; }
    input, select { border-color: color-mix(in srgb, var(--soft) 62%, var(--panel)); width: 100%; }
    ::placeholder { color: var(--soft); opacity: 1; }
    button, .button { display: inline-block; cursor: pointer; font-weight: 550;
      text-decoration: none; color: var(--ink);
      border-color: color-mix(in srgb, var(--soft) 45%, var(--panel)); }
    button:hover, .button:hover { border-color: var(--soft); }
    .primary { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
    .danger { background: var(--red); border-color: var(--red); color: var(--panel); }
    input[type=radio] { min-height: 0; }
    .quiet { border-color: transparent; background: none; padding: .375rem .5rem;
      color: var(--soft); }
    label, legend { font-weight: 550; font-size: .875rem; }
    [aria-invalid] { border-color: var(--red); }
    .sign-in { max-width: 26rem; padding-top: 10vh; }
    .sign-in form, .stack { display: flex; flex-direction: column; gap: .5rem; }
    .sign-in button { margin-top: .5rem; }
    .row { display: flex; gap: .75rem; align-items: center; margin-top: .5rem; }
    .stack label:not(.choice) { margin-top: .5rem; }
    .stack p { margin: 0 0 .5rem; font-size: .875rem; }
    fieldset { border: 0; padding: 0; margin: 0 0 .5rem; }
    legend { margin-bottom: .375rem; padding: 0; }
    .choice { display: flex; gap: .625rem; align-items: baseline; padding: .5rem .75rem;
      border: 1px solid var(--line); border-radius: 8px; margin-bottom: .375rem;
      font-weight: 400; font-size: inherit; }
    .choice input { width: auto; } .choice .soft { display: block; font-size: .875rem; }
    .filters { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin-bottom: 1rem; }
    .filters div { min-width: 9rem; flex: 0 1 11rem; } .filters .wide { flex: 1 1 16rem; }
    @media (max-width: 48rem) { .filters div { min-width: 0; flex: 1 1 8rem; }
      .filters .wide { flex: 1 1 14rem; } }
    .filters label { display: block; margin-bottom: .125rem; color: var(--soft); }
    .alert, .notice { border-radius: 10px; padding: .75rem 1rem; margin: 0 0 1rem;
      border: 1px solid color-mix(in srgb, var(--red) 35%, transparent);
      background: color-mix(in srgb, var(--red) 8%, var(--panel)); }
    section.alert { border-color: color-mix(in srgb, var(--amber) 45%, transparent);
      background: color-mix(in srgb, var(--amber) 9%, var(--panel)); }
    .alert ul { margin: .25rem 0 0; padding-left: 1.25rem; }
    .notice { border-color: color-mix(in srgb, var(--green) 40%, transparent);
      background: color-mix(in srgb, var(--green) 8%, var(--panel)); }
    .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr));
      gap: 1rem; margin-bottom: 1rem; }
    @media (min-width: 41rem) and (max-width: 62.999rem) {
      .cards > :nth-child(odd):last-child { grid-column: 1 / -1; } }
    .ask { align-items: start; }
    .card, .timeline, .list { background: var(--panel); border: 1px solid var(--line);
      border-radius: 12px; box-shadow: var(--shadow); }
    .card { padding: 1rem 1.125rem; min-width: 0; } .card p:first-child { margin-top: 0; }
    .facts { margin: 0; display: grid; gap: .375rem; }
    .facts div { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: .75rem; }
    .sums dd { text-align: right; }
    .facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; }
    .plain { list-style: none; margin: 0; padding: 0; display: grid; gap: .25rem; }
    .head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: flex-start;
      gap: .5rem 1.5rem; }
    .head h1 { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; margin: 0; }
    .head p { margin: 0 0 .25rem; } .head h1 .pill { font-size: .875rem; letter-spacing: 0; }
    .head + * { margin-top: 1rem; }
    section > .head { align-items: baseline; } section > .head h2 { margin: 0; }
    section > .head + * { margin-top: .75rem; }
    .crumb { font-size: .875rem; margin: 0 0 .25rem; }
    .actions { display: flex; flex-wrap: wrap; gap: .5rem; }
    .pager { display: flex; gap: .5rem; margin-top: 1rem; }
    .empty { color: var(--soft); padding: 2rem 1rem; text-align: center; margin: 0;
      border-radius: 12px;
      border: 1px dashed color-mix(in srgb, var(--soft) 40%, transparent); }
    .money-bar { display: block; width: 100%; height: .625rem; border-radius: 5px;
      margin-bottom: .875rem; }
    .bar-open { fill: var(--line); } .bar-kept { fill: var(--green); }
    .bar-gone { fill: color-mix(in srgb, var(--teal) 45%, var(--panel)); }
    .bar-held { fill: var(--blue); }
    .money { white-space: nowrap; font-variant-numeric: tabular-nums; }
    .money abbr { font-size: .8em; color: var(--soft); text-decoration: none; }
    .live-status { position: fixed; right: 1rem; bottom: .75rem; margin: 0; font-size: .8125rem;
      color: var(--soft); background: var(--panel); border: 1px solid var(--line);
      border-radius: 1rem; padding: .125rem .75rem; }
    .live-status:has(#live-status:empty) { display: none; }
    .tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr));
      gap: .75rem; margin: 0 0 1rem; padding: 0; list-style: none; }
    .queues { grid-template-columns: repeat(4, minmax(0, 1fr)); grid-auto-rows: 1fr; }
    @media (max-width: 48rem) { .queues { grid-template-columns: 1fr 1fr; } }
    .tiles a, .tiles li > div { display: flex; align-items: center; gap: .125rem .75rem;
      background: var(--panel); color: var(--ink);
      border: 1px solid var(--line); border-radius: 12px; padding: .625rem 1rem;
      text-decoration: none; box-shadow: var(--shadow); height: 100%; }
    .tiles a:hover { border-color: var(--soft); }
    .tiles b { min-width: 1.25rem; font-size: 1.625rem; line-height: 1.2; letter-spacing: -.02em;
      font-variant-numeric: tabular-nums; }
    .tiles .none b { color: var(--soft); font-weight: 400; } .tiles .hot b { color: var(--amber); }
    .tiles .hot > * { border-color: color-mix(in srgb, var(--amber) 45%, transparent);
      background: color-mix(in srgb, var(--amber) 9%, var(--panel)); }
    .tiles span:not(.pill) { font-size: .875rem; }
    .tiles small { display: block; color: var(--soft); font-size: .8125rem; }
    section + section { margin-top: 1.5rem; } .cards section + section { margin-top: 0; }

    """

  private static let lists = """
    table { border-collapse: separate; border-spacing: 0; width: 100%; text-align: left; }
    .list th, .list td { padding: .5625rem .75rem; border-top: 1px solid var(--line);
      vertical-align: baseline; }
    .list thead th { border: 0; color: var(--soft); font-weight: 550; font-size: .8125rem; }
    .list th[scope="row"] { font-weight: 400; }
    .list .number, .list th.number { text-align: right; padding-right: 1.75rem; }
    .list td:empty::before { content: "—" / ""; color: var(--soft); }
    .list tbody tr { position: relative; }
    .list tbody tr:hover { background: color-mix(in srgb, var(--accent) 5%, transparent); }
    .row-link::after { content: ""; position: absolute; inset: 0; }
    .row-link:focus-visible { outline: none; }
    .row-link:focus-visible::after { outline: 2px solid var(--accent); outline-offset: -2px; }
    .list td a:not(.row-link) { position: relative; z-index: 1; }
    tr.fresh > * { animation: fresh 3s ease-out; }
    @keyframes fresh { from { background: var(--accent-soft); } }
    @media (prefers-reduced-motion: reduce) { tr.fresh > * { animation: none; } }
    @media (max-width: 48rem) {
      .list thead { position: absolute; width: 1px; height: 1px; overflow: hidden;
        clip-path: inset(50%); }
      .list, .list tbody { display: block; }
      .list tr { display: grid; grid-template-columns: 1fr 1fr; gap: .125rem 1rem;
        padding: .625rem .875rem; border-top: 1px solid var(--line); }
      .list tbody tr:first-child { border-top: 0; }
      .list th, .list td, .list .number { border: 0; padding: .125rem 0; text-align: left;
        min-width: 0; overflow-wrap: anywhere; }
      .list td:empty { display: none; }
      .list td[data-name="What"], .list td[data-name="Why"], .list td[data-name="Id"],
      .list td[data-name="What came of it"] { grid-column: 1 / -1; }
      .list td[data-name]::before { content: attr(data-name); display: block;
        font-size: .75rem; color: var(--soft); }
      .list td[data-name="State"] { text-align: right; }
      .list td[data-name="State"]::before { display: none; }
      .list td[data-name="What came of it"] { order: 1; }
      .facts div { grid-template-columns: 7.5rem minmax(0, 1fr); }
      .payments tr { grid-template-columns: auto 1fr auto; align-items: center;
        gap: .25rem .75rem; }
      .payments td[data-name]::before { display: none; }
      .payments td[data-name="Amount"], .payments td[data-name="Age"],
      .payments td[data-name="Order"] { text-align: right; }
      .payments td[data-name="Amount"] { grid-area: 1 / 1 / auto / span 2; text-align: left;
        font-weight: 600; }
      .payments td[data-name="State"] { grid-area: 1 / 3; }
      .payments th[scope="row"] { grid-area: 2 / 1 / auto / span 2; }
      .payments td[data-name="Order"] { grid-area: 2 / 3; }
      .payments td[data-name="Provider"] { grid-area: 3 / 1; }
      .payments td[data-name="Age"] { grid-area: 3 / 2; text-align: left; color: var(--soft);
        font-size: .8125rem; }
      .payments td[data-name="Learned by"] { grid-area: 3 / 3; color: var(--soft);
        font-size: .8125rem; text-align: right; }
      .payments td[data-name="Learned by"]::before { content: "by "; display: inline;
        font-size: inherit; }
      .payments td[data-name="Order"]::before { content: "order "; display: inline; }
    }

    """
}
