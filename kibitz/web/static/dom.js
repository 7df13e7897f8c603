// Making elements, and pictures that come from elsewhere made harmless.

const SVG = "http://www.w3.org/2000/svg";

export const $ = (id) => document.getElementById(id);

function fill(made, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "text") made.textContent = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export const make = (tag, properties = {}, ...children) => fill(document.createElement(tag), properties, children);
export const draw = (tag, properties = {}, ...children) => fill(document.createElementNS(SVG, tag), properties, children);

const SHAPES = new Set(
  "svg g rect circle ellipse line polyline polygon path text tspan defs use symbol linearGradient radialGradient stop clipPath title style".split(" "),
);

// A drawing of a game as an element: shapes only, no script, no handler, nothing from elsewhere. Null where it is no drawing.
export function picture(text) {
  if (!text) return null;
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.localName !== "svg" || root.querySelector("parsererror")) return null;
  clean(root);
  if (!root.hasAttribute("viewBox")) root.setAttribute("viewBox", `0 0 ${parseFloat(root.getAttribute("width")) || 300} ${parseFloat(root.getAttribute("height")) || 300}`);
  root.removeAttribute("width");
  root.removeAttribute("height");
  return document.importNode(root, true);
}

function clean(element) {
  for (const { name, value } of [...element.attributes]) {
    const elsewhere = /href$/i.test(name) ? !value.startsWith("#") : /url\s*\(\s*['"]?(?!#)|javascript:|expression\(/i.test(value);
    if (/^on/i.test(name) || elsewhere) element.removeAttribute(name);
  }
  for (const child of [...element.children]) {
    const bad = child.namespaceURI !== SVG || !SHAPES.has(child.localName) || (child.localName === "style" && /url\(|@import/i.test(child.textContent));
    if (bad) child.remove();
    else clean(child);
  }
}
