"""What a page must be for whoever does not see it, sees little or uses no mouse.

Names, roles and headings are taken from the browser's own accessibility tree; contrast is measured
from the colours that the browser computed.
"""

INTERACTIVE = {"button", "link", "textbox", "searchbox", "combobox", "radio", "checkbox"}

# Text that is smaller than this needs a contrast of 4.5, larger text of 3 (WCAG 2.2, 1.4.3).
MEASURE = """
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const parsed = new Map();
const rgba = (colour) => {
  if (!parsed.has(colour)) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    parsed.set(colour, [r, g, b, a / 255]);
  }
  return parsed.get(colour);
};
const over = (top, below) => top.slice(0, 3).map((v, i) => v * top[3] + below[i] * (1 - top[3]));
const ground = (element) => {
  const layers = [];
  for (let at = element; at; at = at.parentElement) {
    layers.push(rgba(getComputedStyle(at).backgroundColor));
  }
  return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
};
const light = ([r, g, b]) => {
  const part = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
};
const contrast = (a, b) => {
  const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
};
const faults = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
  const style = getComputedStyle(element);
  if (style.clipPath !== "none" || element.closest(".unseen, .skip, option")) continue;
  const below = ground(element);
  const ratio = contrast(over(rgba(style.color), below), below);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.66 && parseInt(style.fontWeight) >= 700);
  if (ratio < (isLarge ? 3 : 4.5)) {
    faults.push(`contrast ${ratio.toFixed(2)}: ${walker.currentNode.data.trim().slice(0, 40)}`);
  }
}
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`id twice: ${id}`);
for (const element of document.querySelectorAll("button, .button, input, select, nav a")) {
  const box = element.getBoundingClientRect();
  if (!element.checkVisibility() || element.type === "hidden" || !box.width) continue;
  const target = (["radio", "checkbox"].includes(element.type) ? element.closest("label") : element)
    .getBoundingClientRect();
  if (target.height < 24 || target.width < 24) {
    faults.push(`small target: ${element.textContent || element.name}`);
  }
}
if (document.documentElement.scrollWidth > innerWidth) {
  faults.push(`wider than the window: ${document.documentElement.scrollWidth} of ${innerWidth}`);
}
if (!document.documentElement.lang) faults.push("no language");
if (!document.title) faults.push("no title");
return faults;
"""


def faults(page):
    """What is wrong with the page that is open."""
    return page.script(MEASURE) + tree_faults(page)


def tree_faults(page):
    tree = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    nodes = [node for node in tree if not node.get("ignored")]
    found = []
    roles = []
    level = 0
    for node in nodes:
        role = node.get("role", {}).get("value", "")
        name = node.get("name", {}).get("value", "").strip()
        roles.append(role)
        if role in INTERACTIVE and not name:
            found.append(f"{role} without a name")
        if role in ("image", "graphics-document") and not name:
            found.append("picture without a name")
        if role == "navigation" and not name:
            found.append("navigation without a name")
        if role == "heading":
            properties = {each["name"]: each["value"]["value"] for each in node["properties"]}
            if properties["level"] > level + 1:
                found.append(f"heading “{name}” skips a level")
            level = properties["level"]
    if roles.count("main") != 1:
        found.append(f"{roles.count('main')} main landmarks")
    if [role for role in roles if role == "heading"] == []:
        found.append("no heading")
    return found
