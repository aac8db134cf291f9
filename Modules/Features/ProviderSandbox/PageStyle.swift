/// Style of the hosted page: one column for a phone, light and dark.
enum PageStyle {
  static let sheet = """
    :root{--bg:#f4f4f2;--card:#fff;--ink:#14141a;--soft:#6a6a76;--line:#e4e4e0;\
    --edge:#84848f;--accent:#1f7a5c;\
    --on:#fff;--tint:#e6f4ee;--bad:#b3261e;--badtint:#fcebe9}
    @media(prefers-color-scheme:dark){:root{--bg:#101013;--card:#1b1b20;--ink:#f2f2f4;\
    --soft:#a2a2ae;\
    --line:#32323a;--edge:#73737f;--accent:#5fd3a8;--on:#08130e;--tint:#17302a;\
    --bad:#ff9d94;--badtint:#3a1d1b}}
    .bank{--accent:#2a5bd7;--on:#fff;--tint:#e8eefc}
    @media(prefers-color-scheme:dark){.bank{--accent:#8fb0ff;--on:#0a1022;--tint:#1a2442}}
    *{box-sizing:border-box;margin:0}
    body{background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",\
    Roboto,"Noto Sans","Noto Naskh Arabic",sans-serif;-webkit-text-size-adjust:100%}
    main{max-width:440px;min-height:100vh;margin:0 auto;padding:16px 20px;display:flex;\
    flex-direction:column;gap:14px}
    header{display:flex;align-items:center;justify-content:space-between;padding:2px 4px}
    .mark{font-weight:800;font-size:24px;letter-spacing:-.03em}
    .pill{font-size:12px;font-weight:600;color:var(--soft);border:1px solid var(--line);\
    border-radius:99px;padding:2px 10px}
    .card{background:var(--card);border:1px solid var(--line);border-radius:20px;padding:22px}
    .sum{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;\
    gap:2px 16px;padding:12px 22px}
    .sum small{display:block;color:var(--soft);font-size:13px}
    .sum div{flex:1 1 5em;min-width:0;overflow-wrap:anywhere}
    .sum .ref{flex-basis:100%;overflow-wrap:anywhere}
    .sum b{font-size:20px;white-space:nowrap}
    ol.steps{list-style:none;display:flex;gap:6px;padding:0 4px}
    ol.steps li{flex:1;font-size:12px;color:var(--soft);border-top:4px solid var(--line);\
    border-radius:2px;padding-top:6px}
    ol.steps li.on{border-color:var(--accent);color:var(--ink);font-weight:600}
    h1{font-size:23px;line-height:1.2;letter-spacing:-.015em;margin-bottom:6px}
    p{color:var(--soft)}
    form{margin-top:20px}
    form+form{margin-top:10px}
    a{color:inherit}
    form+p{margin-top:16px;text-align:center}
    form p+p{margin-top:12px}
    label,legend{display:block;color:var(--ink);font-size:14px;font-weight:600;margin-bottom:6px}
    input[type=tel],input[type=text],input[type=file]{width:100%;font:inherit;font-size:18px;\
    color:inherit;background:var(--bg);border:1.5px solid var(--edge);border-radius:12px;\
    padding:13px 14px}
    input[type=file]{font-size:15px}
    input.code{text-align:center;font-size:30px;font-weight:600;letter-spacing:.5em;\
    padding-inline-start:calc(14px + .5em);font-variant-numeric:tabular-nums}
    :focus-visible{outline:3px solid var(--accent);outline-offset:2px}
    button,.button{display:block;width:100%;margin-top:18px;border:0;border-radius:14px;\
    padding:15px;font:inherit;font-size:17px;font-weight:650;text-align:center;\
    text-decoration:none;color:var(--on);background:var(--accent);cursor:pointer}
    form+form button{margin-top:0}
    button+p,.end p+p{margin-top:8px}
    button.plain{color:var(--ink);background:transparent;border:1.5px solid var(--edge)}
    #cancel{align-self:center;color:var(--soft);font-size:15px;padding:6px}
    .error{color:var(--bad);background:var(--badtint);border-radius:12px;padding:10px 14px;\
    margin-top:16px;font-size:15px}
    ul.plan{list-style:none;padding:0;margin-top:12px}
    ul.plan li{display:flex;align-items:center;gap:12px;padding:7px 0;line-height:1.35;\
    border-top:1px solid var(--line)}
    ul.plan li:first-child{border-top:0}
    ul.plan .when{flex:1}
    ul.plan small{display:block;color:var(--soft);font-size:13px}
    ul.plan b{font-variant-numeric:tabular-nums}
    .pie{width:22px;height:22px;border-radius:50%;flex:none;border:1.5px solid var(--accent)}
    .q1{background:conic-gradient(var(--accent) 25%,var(--tint) 0)}
    .q2{background:conic-gradient(var(--accent) 50%,var(--tint) 0)}
    .q3{background:conic-gradient(var(--accent) 75%,var(--tint) 0)}
    .q4{background:var(--accent)}
    p.total{display:flex;justify-content:space-between;border-top:1px solid var(--line);\
    padding-top:10px;font-weight:650;color:var(--ink)}
    fieldset{border:0;padding:0;margin:0;min-width:0}
    legend{padding:0}
    p.total+form{margin-top:16px}
    label.way{display:flex;align-items:center;gap:12px;border:1.5px solid var(--edge);\
    border-radius:14px;padding:9px 14px;margin-top:8px;font-size:16px;line-height:1.35;\
    cursor:pointer}
    label.way:has(:checked){border-color:var(--accent);background:var(--tint)}
    label.way input{accent-color:var(--accent);width:18px;height:18px;flex:none}
    label.way small{display:block;color:var(--soft);font-weight:400;font-size:13px}
    .due{font-size:clamp(26px,9vw,36px);font-weight:750;letter-spacing:-.02em;\
    color:var(--ink);margin:14px 0 6px}
    .end{text-align:center;padding:34px 22px}
    .sign{width:68px;height:68px;border-radius:50%;margin:0 auto 18px;display:grid;\
    place-items:center;font-size:34px;font-weight:700;color:var(--accent);background:var(--tint)}
    .sign.bad{color:var(--bad);background:var(--badtint)}
    footer{margin-top:auto;padding:8px 4px;text-align:center;color:var(--soft);font-size:13px}
    """
}
