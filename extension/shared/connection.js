// @ts-check
/**
 * How the daemon is reached: its port, and the ticket that it gave to this extension. Kept where only pages of the
 * extension can read it, and never written to the disk.
 */

/** @typedef {{port: number, ticket: string, launched: boolean}} Connection */

const KEY = "connection";

/** @param {unknown} value @returns {Connection | null} */
export const checked = (value) => {
  const found = /** @type {Partial<Connection> | null | undefined} */ (value);
  if (typeof found !== "object" || found === null) return null;
  const { port, ticket, launched } = found;
  if (typeof port !== "number" || !Number.isInteger(port) || port < 1 || port > 65535) return null;
  if (typeof ticket !== "string" || !/^[\w-]{20,100}$/.test(ticket)) return null;
  return { port, ticket, launched: launched === true };
};

/** @returns {Promise<Connection | null>} */
export const read = async () => checked((await chrome.storage.session.get(KEY))[KEY]);

/** @param {Connection} connection */
export const keep = async (connection) => {
  const fine = checked(connection);
  if (!fine) throw new Error("this is no port and ticket of a daemon");
  await chrome.storage.session.set({ [KEY]: fine });
};

export const forget = () => chrome.storage.session.remove(KEY);

/** Call back when the daemon has handed over a new port or ticket. @param {(now: Connection | null) => void} tell */
export const onChange = (tell) => {
  chrome.storage.session.onChanged.addListener((changes) => {
    if (changes[KEY]) tell(checked(changes[KEY].newValue));
  });
};

/**
 * Exchange the code that a person typed for a ticket.
 * @param {number} port @param {string} code @returns {Promise<Connection>}
 */
export const pair = async (port, code) => {
  const answer = await fetch(`http://127.0.0.1:${port}/page-session`, {
    method: "POST",
    body: JSON.stringify({ code }),
    signal: AbortSignal.timeout(10_000),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(String(said.error || "The code was not accepted."));
  if (said.opens !== "extension") throw new Error("That code is not for this extension.");
  const connection = { port, ticket: String(said.ticket), launched: false };
  await keep(connection);
  return connection;
};
