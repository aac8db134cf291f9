/// The script of all pages. They work without it: it keeps lists and payments up to date, lets time
/// grow, and sends a filter as soon as it is chosen.
let pageScript = #"""
  "use strict";
  (() => {
    const main = document.getElementById("main");
    const status = document.getElementById("live-status");

    const span = (seconds) =>
      seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${Math.floor(seconds / 60)} min`
      : seconds < 172800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86400)} d`;

    // Said aloud only where it changes; the time beside it is for eyes.
    const clock = document.getElementById("live-time");
    const say = (text) => { if (status && status.textContent !== text) status.textContent = text; };

    // The server's clock counts, whatever the browser's says.
    let lead = 0;
    const age = () => {
      for (const time of document.querySelectorAll("time[data-age]")) {
        const seconds = Math.floor((Date.now() - lead - Date.parse(time.dateTime)) / 1000);
        const text = `${span(Math.max(0, seconds))} ago`;
        if (time.textContent !== text) time.textContent = text;
      }
    };
    const learnClock = (response) => {
      const date = Date.parse(response.headers.get("Date") ?? "");
      if (date) lead = Date.now() - date;
    };

    for (const field of document.querySelectorAll("[data-submits]")) {
      field.addEventListener("change", () => field.form.requestSubmit());
    }

    // Forms that were sent are not sent again by a second click.
    document.addEventListener("submit", ({ target }) => {
      if (target.method !== "post") return;
      for (const button of target.querySelectorAll("button")) {
        setTimeout(() => { button.disabled = true; }, 0);
        setTimeout(() => { button.disabled = false; }, 10000);
      }
    });

    const versions = () => new Map([...document.querySelectorAll("[data-key]")]
      .map((row) => [row.dataset.key, row.dataset.version]));

    const put = (next) => {
      const before = versions();
      const focus = document.activeElement?.id;
      for (const part of document.querySelectorAll("[data-live]")) {
        const fresh = next.getElementById(part.id);
        if (!fresh) continue;
        for (const { id } of part.querySelectorAll("details[open][id]")) {
          fresh.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
        }
        part.replaceChildren(...fresh.childNodes);
      }
      const menu = next.querySelector(".top nav ul");
      if (menu) document.querySelector(".top nav ul")?.replaceWith(menu);
      let changed = 0;
      for (const row of document.querySelectorAll("[data-key]")) {
        if (before.get(row.dataset.key) === row.dataset.version) continue;
        row.classList.add("fresh");
        changed += 1;
      }
      if (focus && document.activeElement?.id !== focus) document.getElementById(focus)?.focus();
      age();
      return changed;
    };

    // What is under a pressed finger stays until it is lifted: else the click would hit nothing.
    let isPressed = false;
    addEventListener("pointerdown", () => { isPressed = true; });
    for (const end of ["pointerup", "pointercancel"]) {
      addEventListener(end, () => { isPressed = false; });
    }

    // So does text that somebody is about to copy.
    const isHeld = () => isPressed || !(getSelection()?.isCollapsed ?? true);

    let isBusy = false;
    let isStale = false;
    const refresh = async () => {
      if (isBusy || isHeld()) {
        if (!isBusy) setTimeout(refresh, 300);
        isStale = true;
        return;
      }
      isBusy = true;
      isStale = false;
      try {
        const response = await fetch(location.href, { headers: { "Dashboard-Live": "1" } });
        if (response.redirected) { location.reload(); return; }
        if (response.ok) {
          learnClock(response);
          const next = new DOMParser().parseFromString(await response.text(), "text/html");
          const changed = put(next);
          const time = new Date(Date.now() - lead).toISOString().slice(11, 19);
          say(changed ? `Live: ${changed} changed` : "Live");
          clock.textContent = `as of ${time} UTC`;
        }
      } catch { say("Not live: the server does not answer"); }
      // At most once a second, however much happens.
      setTimeout(() => { isBusy = false; if (isStale) refresh(); }, 1000);
    };

    // A page that nobody sees does not listen: a browser has few connections for all its tabs.
    let source;
    const listen = () => {
      source?.close();
      if (document.hidden) return;
      source = new EventSource(main.dataset.events);
      source.addEventListener("change", refresh);
      source.addEventListener("rest", refresh);
      source.onopen = () => { if (!status.textContent) say("Live"); };
      source.onerror = ({ target }) => {
        if (target !== source || target.readyState !== EventSource.CLOSED) return;
        say("Not live: trying again");
        setTimeout(async () => { await refresh(); listen(); }, 5000);
      };
    };

    if (main?.dataset.events && window.EventSource) {
      listen();
      document.addEventListener("visibilitychange", listen);
      addEventListener("pagehide", () => source?.close());
      addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
    }
    // Where not everything causes an event, a page asks again, as long as somebody sees it.
    if (main?.dataset.poll) {
      setInterval(() => { if (!document.hidden) refresh(); }, Number(main.dataset.poll));
    }
    setInterval(age, 5000);
  })();

  """#
