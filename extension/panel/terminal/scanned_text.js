// @ts-check
/**
 * Text for the terminal that was scanned. Nothing else can be put into it: `put` is the one function that writes, it
 * takes nothing but a `ScannedText`, and only `scan` makes one.
 */

const KEY = Symbol("only a scan makes a ScannedText");

export class ScannedText {
  #text;

  /** @param {symbol} key @param {string} text */
  constructor(key, text) {
    if (key !== KEY) throw new TypeError("only a scan makes a ScannedText");
    this.#text = text;
  }

  /** The text of one that a scan made. @param {ScannedText} scanned @returns {string} */
  static textOf(scanned) {
    if (typeof scanned !== "object" || scanned === null || !(#text in scanned)) throw new TypeError("not scanned");
    return scanned.#text;
  }
}

/**
 * @typedef {{verdict: string, reasons: string[], text: string}} Verdict
 * @typedef {object} Person
 * @property {(text: string, reasons: string[]) => Promise<boolean>} agrees asked when there is a warning
 * @property {(reasons: string[]) => void} hears told when a text is dropped
 */

/**
 * Have a text scanned by the daemon; null if it is dropped.
 * @param {string} text @param {() => Promise<Verdict>} ask @param {Person} person @returns {Promise<ScannedText | null>}
 */
export const scan = async (text, ask, person) => {
  const { verdict, reasons, text: clean } = await answered(text, ask);
  if (verdict === "PASS") return new ScannedText(KEY, clean);
  if (verdict === "WARN") return (await person.agrees(clean, reasons)) ? new ScannedText(KEY, clean) : null;
  person.hears(reasons);
  return null;
};

/** What the daemon says; that it says nothing is a warning. @param {string} text @param {() => Promise<Verdict>} ask */
const answered = async (text, ask) => {
  try {
    const said = await ask();
    const known = ["PASS", "WARN", "BLOCK"].includes(said.verdict) && typeof said.text === "string";
    if (known) return { ...said, reasons: Array.isArray(said.reasons) ? said.reasons.map(String) : [] };
  } catch (error) {
    console.warn("a text could not be scanned", error);
  }
  return { verdict: "WARN", reasons: ["it could not be scanned"], text: withoutControls(text) };
};

/** Without what a terminal obeys; lines stay. @param {string} text */
export const withoutControls = (text) =>
  [...text.replaceAll("\r\n", "\n")].filter((it) => it === "\n" || it === "\t" || !/\p{Cc}/u.test(it)).join("");

/**
 * Put a scanned text into a terminal, as a paste. Enter is never pressed: where the program cannot tell a paste from
 * typing, lines are joined, because each end of a line would run it.
 * @param {{paste(text: string): void, modes: {bracketedPasteMode: boolean}}} screen @param {ScannedText} scanned
 */
export const put = (screen, scanned) => {
  const text = ScannedText.textOf(scanned).replace(/\s+$/, "");
  screen.paste(screen.modes.bracketedPasteMode ? text : text.replace(/\s*\n\s*/g, " "));
};
