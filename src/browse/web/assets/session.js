// @ts-check
// How a page of ours talks to the daemon: the one-time code behind the `#` of its address becomes a
// ticket, which stays in this window and is sent with every call. There is no cookie.

/** A call that the daemon refused, with what it says and what to do. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {string} hint
   * @param {string} [reason] a word for programs
   */
  constructor(status, message, hint, reason = "") {
    super(message);
    this.status = status;
    this.hint = hint;
    this.reason = reason;
  }
}

export class Session {
  /** @param {string} ticket */
  constructor(ticket) {
    this.ticket = ticket;
  }

  /**
   * Call an endpoint; raise `Refused` if the daemon says no, `TypeError` if it is not there.
   * @param {string} path
   * @param {{ method?: string, body?: unknown, signal?: AbortSignal }} [how]
   */
  async call(path, { method = "GET", body, signal } = {}) {
    const headers = { Authorization: `Bearer ${this.ticket}` };
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const answer = await fetch(path, { method, headers, body: sent, signal, cache: "no-store" });
    if (!answer.ok) throw await refusal(answer);
    return answer;
  }

  /** @param {string} path */
  async get(path) {
    return (await this.call(path)).json();
  }

  /**
   * @param {string} path
   * @param {unknown} body
   */
  async post(path, body) {
    return (await this.call(path, { method: "POST", body })).json();
  }

  /**
   * Read server-sent events until the daemon or the signal ends them.
   * @param {string} path
   * @param {(name: string, data: any) => void} each
   * @param {{ signal?: AbortSignal, opened?: () => void }} [how]
   */
  async follow(path, each, { signal, opened } = {}) {
    const answer = await this.call(path, { signal });
    opened?.();
    if (!answer.body) return;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) dispatch(block, each);
    }
  }
}

/**
 * Return the session of this page: for the code in its address, else the one of before a reload.
 * None if there is neither. A code that the daemon refuses raises `Refused`.
 * @param {string} kind what the ticket opens, such as "dashboard"
 * @returns {Promise<Session | null>}
 */
export async function openSession(kind) {
  const key = `browse.ticket.${kind}`;
  const code = location.hash.slice(1);
  if (code) {
    history.replaceState(null, "", location.pathname + location.search);
    sessionStorage.removeItem(key);
    const answer = await fetch("/page-session", { method: "POST", body: JSON.stringify({ code }) });
    if (!answer.ok) throw await refusal(answer);
    sessionStorage.setItem(key, (await answer.json()).ticket);
  }
  const ticket = sessionStorage.getItem(key);
  return ticket ? new Session(ticket) : null;
}

/** @param {Response} answer */
async function refusal(answer) {
  const said = await answer.json().catch(() => ({}));
  return new Refused(
    answer.status,
    said.error ?? `The daemon answered ${answer.status}.`,
    said.hint ?? "",
    said.reason,
  );
}

/**
 * @param {string} block
 * @param {(name: string, data: any) => void} each
 */
function dispatch(block, each) {
  const fields = new Map(
    block.split("\n").map((line) => {
      const at = line.indexOf(": ");
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
  const data = fields.get("data");
  if (data !== undefined) each(fields.get("event") ?? "message", JSON.parse(data));
}
