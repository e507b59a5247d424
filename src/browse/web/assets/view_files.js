// @ts-check
// Files for a page that asks for some: the person chooses them here, and they are sent in parts, each
// when the daemon has asked for it.

const PART_BYTES = 192 * 1024;

/** @param {Blob} blob @returns {Promise<string>} */
const base64 = (blob) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

/**
 * @param {{part: (id: string, kind: any) => any, send: (type: string, facts?: object) => void,
 *   notice: (words: string) => void}} view
 */
export function sendFiles({ part, send, notice }) {
  /** @type {HTMLDialogElement} */
  const dialog = part("files", HTMLDialogElement);
  /** @type {HTMLInputElement} */
  const chosen = part("files-chosen", HTMLInputElement);
  const progress = part("files-progress", HTMLElement);
  const button = part("files-send", HTMLButtonElement);
  let asked = 0;
  let most = 0;
  let wake = () => {};

  /** @param {number} ask */
  const sendAll = async (ask) => {
    const files = [...(chosen.files ?? [])];
    const total = files.reduce((sum, file) => sum + file.size, 0);
    let sent = 0;
    for (const [number, file] of files.entries()) {
      for (let at = 0; at === 0 || at < file.size; at += PART_BYTES) {
        const data = await base64(file.slice(at, at + PART_BYTES));
        const taken = new Promise((resolve) => {
          wake = () => resolve(undefined);
        });
        if (asked !== ask) return;
        send("file", { ask, file: number, name: file.name, data });
        await taken;
        if (asked !== ask) return;
        sent += Math.min(PART_BYTES, file.size - at);
        progress.textContent = total ? `Sent ${Math.round((100 * sent) / total)} %` : "";
      }
    }
    send("files", { ask });
    close(ask);
  };

  /** @param {number} ask */
  const close = (ask) => {
    if (asked !== ask) return;
    asked = 0;
    wake();
    if (dialog.open) dialog.close();
  };

  const cancel = () => {
    if (asked) send("files", { ask: asked, cancelled: true });
    close(asked);
  };

  part("files-form", HTMLFormElement).addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    const total = [...(chosen.files ?? [])].reduce((sum, file) => sum + file.size, 0);
    if (total > most) {
      progress.textContent = `That is too much: at most ${Math.floor(most / 1024 / 1024)} MB can be sent.`;
      return;
    }
    button.disabled = true;
    sendAll(asked).catch(() => {
      notice("The file could not be read.");
      cancel();
    });
  });
  part("files-cancel", HTMLButtonElement).addEventListener("click", cancel);
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    cancel();
  });
  dialog.addEventListener("close", () => part("keys", HTMLTextAreaElement).focus({ preventScroll: true }));

  return {
    /** @param {{ask: number, multiple: boolean, most: number, page: string}} question */
    ask(question) {
      asked = question.ask;
      most = question.most;
      chosen.value = progress.textContent = "";
      chosen.multiple = question.multiple;
      chosen.accept = question.page;
      button.disabled = false;
      part("files-kinds", HTMLElement).hidden = !question.page;
      part("files-accept", HTMLElement).textContent = question.page;
      if (!dialog.open) dialog.showModal();
    },
    /** @param {number} ask */
    more(ask) {
      if (asked === ask) wake();
    },
    /** The question is gone: somebody else has control, or the daemon is gone. */
    forget() {
      close(asked);
    },
  };
}
