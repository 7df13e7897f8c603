// Trees written out as text, `[[3, 12], {"player": 1, "moves": {"a": 7}}] at 1`: where in the text the value of a leaf stands.

// From `start` to `end` in the text for the leaf that `path` leads to from where the position is; null where the text is no such tree.
export function leafSpan(text, path) {
  const trimmed = text.trimStart();
  if (!/^[[{]/.test(trimmed)) return null;
  try {
    const reader = { text, at: text.length - trimmed.length };
    const root = value(reader);
    const [, there = ""] = /^\s*at\s+(.*)$/s.exec(text.slice(reader.at)) ?? [];
    let node = root;
    for (const move of [...there.split(/\s+/).filter(Boolean), ...path]) {
      node = movesOf(node)?.find(([name]) => name === move)?.[1];
      if (!node) return null;
    }
    return node.number ? node.span : null;
  } catch {
    return null;
  }
}

function movesOf(node) {
  const inside = node.fields ? node.fields.find(([name]) => name === "moves")?.[1] : node;
  return inside?.items?.map((item, i) => [String(i + 1), item]) ?? inside?.fields ?? null;
}

function value(reader) {
  blank(reader);
  const mark = reader.text[reader.at];
  if (mark === "[") return { items: many(reader, "]", value) };
  if (mark === "{") return { fields: many(reader, "}", entry) };
  const start = reader.at;
  const [word] = mark === '"' ? /^"(?:[^"\\]|\\.)*"/.exec(reader.text.slice(start)) : /^[^\s,\]}:]+/.exec(reader.text.slice(start));
  reader.at += word.length;
  return { number: Number.isFinite(Number(word)), word, span: [start, reader.at] };
}

function entry(reader) {
  const name = JSON.parse(value(reader).word);
  blank(reader);
  reader.at += 1; // the colon
  return [name, value(reader)];
}

function many(reader, end, one) {
  const found = [];
  reader.at += 1;
  for (;;) {
    blank(reader);
    if (reader.text[reader.at] === end) break;
    if (reader.text[reader.at] === ",") reader.at += 1;
    else if (reader.at >= reader.text.length) throw new Error("the text ends");
    else found.push(one(reader));
  }
  reader.at += 1;
  return found;
}

function blank(reader) {
  while (/\s/.test(reader.text[reader.at] ?? "")) reader.at += 1;
}
