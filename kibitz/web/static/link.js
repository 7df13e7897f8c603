// The websocket: what is sent and got is checked against the schema that the server prints; a lost connection is tried again, and what was asked is asked again.

let schema = null;

export async function fetchJson(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

const KINDS = {
  string: (v) => typeof v === "string",
  integer: (v) => Number.isInteger(v),
  number: (v) => typeof v === "number" && Number.isFinite(v),
  boolean: (v) => typeof v === "boolean",
  array: Array.isArray,
  object: (v) => v !== null && typeof v === "object" && !Array.isArray(v),
  null: (v) => v === null,
};

// What is wrong with a value, in one line; null where it fits. The server's messages.py has the same.
export function faultOf(value, wanted, path = "") {
  const where = path || "the message";
  if ("const" in wanted) return value === wanted.const ? null : `${where}: must be ${wanted.const}`;
  const kinds = wanted.type === undefined ? [] : [wanted.type].flat();
  if (kinds.length && !kinds.some((kind) => KINDS[kind](value))) return `${where}: must be ${kinds.join(" or ")}`;
  if (KINDS.string(value) && value.length > (wanted.maxLength ?? Infinity)) return `${where}: at most ${wanted.maxLength} characters`;
  if (KINDS.number(value) && (value < (wanted.minimum ?? -Infinity) || value > (wanted.maximum ?? Infinity)))
    return `${where}: must be from ${wanted.minimum} to ${wanted.maximum}`;
  if (Array.isArray(value) && wanted.items) {
    for (let i = 0; i < value.length; i++) {
      const fault = faultOf(value[i], wanted.items, `${path}[${i}]`);
      if (fault) return fault;
    }
  }
  return KINDS.object(value) ? faultOfObject(value, wanted, path) : null;
}

function faultOfObject(value, wanted, path) {
  const where = path || "the message";
  const known = wanted.properties ?? {};
  const others = wanted.additionalProperties ?? true;
  for (const name of wanted.required ?? []) if (!(name in value)) return `${where}: '${name}' is missing`;
  if (Object.keys(value).length > (wanted.maxProperties ?? Infinity)) return `${where}: at most ${wanted.maxProperties} entries`;
  for (const [name, item] of Object.entries(value)) {
    if (!Object.hasOwn(known, name) && others === false) return `${where}: there is no '${name}' here`;
    const inside = Object.hasOwn(known, name) ? known[name] : others;
    const fault = typeof inside === "object" ? faultOf(item, inside, path ? `${path}.${name}` : name) : null;
    if (fault) return fault;
  }
  return null;
}

export class Link {
  constructor({ hear, online }) {
    this.hear = hear;
    this.online = online;
    this.number = 0;
    this.asked = new Map(); // by number: positions that were asked for
    this.pause = 250;
    this.socket = null;
  }

  async start() {
    schema = await fetchJson("/schema.json");
    return this.connect();
  }

  connect() {
    return new Promise((ready) => {
      const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
      this.socket = socket;
      socket.onopen = () => {
        this.pause = 250;
        for (const { message } of this.asked.values()) this.post(message);
        this.online(true);
        ready();
      };
      socket.onmessage = (event) => this.take(JSON.parse(event.data));
      socket.onclose = () => {
        this.online(false);
        setTimeout(() => this.connect().then(ready), this.pause);
        this.pause = Math.min(2 * this.pause, 5000);
      };
    });
  }

  // Send a message; the number that answers bear.
  send(message) {
    const whole = { ...message, id: ++this.number };
    const fault = faultOf(whole, schema.toServer[message.do]);
    if (fault) this.hear({ is: "error", id: whole.id, text: fault });
    else this.post(whole);
    return whole.id;
  }

  // A position, as the server describes it.
  show(place) {
    const message = { do: "show", ...place, id: ++this.number };
    const fault = faultOf(message, schema.toServer.show);
    if (fault) return Promise.reject(new Error(fault));
    return new Promise((done, failed) => {
      this.asked.set(message.id, { message, done, failed });
      this.post(message);
    });
  }

  post(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  take(message) {
    const wanted = schema.toPage[message.is];
    const fault = wanted ? faultOf(message, wanted) : `nobody knows what '${message.is}' is`;
    if (fault) return this.hear({ is: "error", text: `the server sent something odd: ${fault}` });
    const waiting = this.asked.get(message.id);
    if (waiting && (message.is === "position" || message.is === "error")) {
      this.asked.delete(message.id);
      return message.is === "position" ? waiting.done(message) : waiting.failed(new Error(message.text));
    }
    return this.hear(message);
  }
}
