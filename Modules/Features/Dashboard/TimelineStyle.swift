/// The drawn journal.
enum TimelineStyle {
  static let text = """
    .timeline { overflow: hidden; } .timeline > .head { padding: .875rem 1.125rem .25rem; }
    .timeline > .head + * { margin-top: .25rem; } .timeline h2 { margin: 0; }
    .timeline > .empty { margin: 1rem; }
    .timeline > p { padding: 0 1.125rem; }
    .legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0;
      padding: 0; font-size: .8125rem; }
    .legend li { display: flex; gap: .375rem; align-items: center; }
    .legend svg { flex: none; }
    .legend span { color: var(--soft); }
    .timeline thead th { font-size: .8125rem; font-weight: 550; color: var(--soft);
      padding: .5rem .75rem; vertical-align: bottom; }
    .timeline td { padding: .6875rem .75rem; vertical-align: top; line-height: 1.375rem; }
    .timeline td:first-child, .timeline th:first-child { padding-left: 1.125rem; }
    .timeline tbody tr:last-child td { padding-bottom: 1.125rem; }
    .timeline tbody tr:hover { background: color-mix(in srgb, var(--accent) 5%, transparent); }
    .when { white-space: nowrap; font-variant-numeric: tabular-nums; width: 1%; }
    .when .day { color: var(--soft); display: block; font-size: .8125rem; }
    .when small { color: var(--soft); }
    .gap { display: block; font-size: .8125rem; }
    .timeline { --lanes: clamp(11rem, 20vw, 15rem); }
    .timeline .lanes, .timeline .lanes-head { width: var(--lanes); min-width: var(--lanes);
      padding: 0; position: relative; }
    .lanes > svg { position: absolute; inset: 0; }
    .lanes svg, .lanes .at { overflow: visible; }
    .timeline .lanes-head { padding-bottom: .5rem; }
    .lanes-head div { display: grid; grid-template-columns: repeat(3, 1fr); text-align: center; }
    .lane { stroke: color-mix(in srgb, var(--soft) 55%, var(--panel)); stroke-width: 1.5;
      stroke-dasharray: 2 3; }
    .state { stroke: var(--c); stroke-width: 4; }
    .arrow { stroke: var(--t); stroke-width: 2; } .tip { fill: var(--t); }
    .t-hint { --t: var(--grey); } .t-notification { --t: var(--amber); }
    .t-proof { --t: var(--green); }
    .changed { fill: var(--panel); stroke: var(--c); stroke-width: 3; }
    .mark-hint { fill: var(--panel); stroke: var(--grey); stroke-width: 2.5; }
    .mark-notification { fill: var(--amber); stroke: var(--panel); stroke-width: 1.5; }
    .mark-proof { fill: var(--green); stroke: var(--panel); stroke-width: 1.5; }
    .trust { white-space: nowrap; width: 1%; font-size: .8125rem; }
    .trust .shape { vertical-align: -4px; margin-right: .375rem; }
    .what { overflow-wrap: anywhere; color: var(--soft); }
    .change .what { font-weight: 600; color: var(--ink); }
    @media (max-width: 48rem) {
      .timeline thead th:not(.lanes-head) { position: absolute; width: 1px; height: 1px;
        overflow: hidden; clip-path: inset(50%); }
      .timeline table, .timeline tbody { display: block; }
      .timeline thead, .timeline thead tr { display: block; }
      .timeline .lanes-head { display: block; border: 0; }
      .timeline { --lanes: 9.25rem; }
      .lanes-head div { font-size: .6875rem; letter-spacing: -.02em; }
      .timeline tbody tr { display: grid; grid-template-columns: var(--lanes) auto minmax(0, 1fr);
        grid-template-areas: "lanes when trust" "lanes what what"; }
      .timeline td { padding: 0 .875rem 0 .5rem; width: auto; display: block; }
      .timeline td:first-child { padding-left: .5rem; }
      .timeline td.when { grid-area: when; padding-top: .6875rem; padding-right: 0; }
      .when .gap { display: none; }
      .timeline td.lanes { grid-area: lanes; padding: 0; }
      .timeline td.trust { grid-area: trust; padding-top: .6875rem; color: var(--soft); }
      .trust .shape { display: none; }
      .timeline td.what { grid-area: what; padding-bottom: .75rem; }
      .timeline tbody tr:last-child td:not(.what) { padding-bottom: 0; }
    }
    @media (forced-colors: active) { .state, .arrow { stroke: CanvasText; }
      .mark-proof, .tip, .mark-notification { fill: CanvasText; }
      .pill { border: 1px solid CanvasText; } }

    """
}
