/**
 * Puts saved databases back into the IndexedDB of a document's origin. Nothing is lost when one cannot be put back:
 * it is changed in one transaction or not at all, and other databases stay as they are.
 * @param {SavedDatabase[]} saved As the driver wrote them.
 * @returns {Promise<{name: string, why: "" | "in use" | "newer" | "failed"}[]>} Each with what stood in the way.
 */
export default async (saved) => {
  /** @param {unknown} it @param {Map<number | undefined, unknown>} seen @returns {unknown} */
  const decoded = (it, seen) => {
    if (it === null || typeof it !== "object") return it;
    const { id, ref, v, d, u, bi, r, e, ab, ta, a, o, m, s } = /** @type {EncodedValue} */ (it);
    /** @template T @param {T} made @param {number | undefined} as @param {(made: T) => void} fill */
    const filled = (made, as, fill) => {
      seen.set(as, made);
      fill(made);
      return made;
    };
    /** @param {string} text */
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
    if (ref !== undefined) return seen.get(ref);
    if (v !== undefined) return v === "null" ? null : v === "undefined" ? undefined : Number(v);
    if (d !== undefined) return new Date(d ?? Number.NaN);
    if (u) return new URL(u);
    if (bi) return BigInt(bi);
    if (r) return new RegExp(r.p, r.f);
    if (e) return Object.assign(new Error(e.m), { name: e.n, stack: e.s });
    if (ab) return bytes(ab.b);
    if (ta) return new ARRAYS[ta.k](bytes(ta.b));
    // Known before what it holds: that may refer to it.
    if (a) return filled(/** @type {unknown[]} */ ([]), id, (list) => a.map((item) => list.push(decoded(item, seen))));
    if (s) return filled(new Set(), id, (set) => s.map((item) => set.add(decoded(item, seen))));
    if (m) return filled(new Map(), id, (map) => m.map(({ k, v }) => map.set(decoded(k, seen), decoded(v, seen))));
    return filled({}, id, (made) => {
      for (const { k, v } of o ?? []) Object.defineProperty(made, k, { ...PLAIN, value: decoded(v, seen) });
    });
  };

  const PLAIN = { configurable: true, enumerable: true, writable: true };
  /** @type {Record<string, new (bytes: ArrayBuffer) => unknown>} */
  const ARRAYS = {
    i8: Int8Array,
    ui8: Uint8Array,
    ui8c: Uint8ClampedArray,
    i16: Int16Array,
    ui16: Uint16Array,
    i32: Int32Array,
    ui32: Uint32Array,
    f32: Float32Array,
    f64: Float64Array,
    bi64: BigInt64Array,
    bui64: BigUint64Array,
  };

  /** @param {IDBDatabase} database @param {SavedDatabase} wanted */
  const rebuild = (database, wanted) => {
    for (const name of [...database.objectStoreNames]) database.deleteObjectStore(name);
    for (const store of wanted.stores) {
      const keyPath = store.keyPathArray ?? store.keyPath ?? null;
      const made = database.createObjectStore(store.name, { keyPath, autoIncrement: store.autoIncrement });
      for (const { name, unique, multiEntry, ...index } of store.indexes)
        made.createIndex(name, index.keyPathArray ?? index.keyPath ?? "", { unique, multiEntry });
    }
  };

  /** @param {IDBTransaction} change @param {SavedDatabase} wanted */
  const refill = (change, wanted) => {
    for (const { name, records } of wanted.stores) {
      const store = change.objectStore(name);
      store.clear();
      for (const it of records) {
        const value = "value" in it ? it.value : decoded(it.valueEncoded, new Map());
        if (store.keyPath !== null) store.put(value);
        else store.put(value, /** @type {IDBValidKey} */ ("key" in it ? it.key : decoded(it.keyEncoded, new Map())));
      }
    }
  };

  /** @param {SavedDatabase} wanted @returns {Promise<"" | "in use" | "newer" | "failed">} */
  const restored = (wanted) =>
    new Promise((done) => {
      let late = false;
      const asked = indexedDB.open(wanted.name, wanted.version);
      asked.onblocked = () => {
        late = true;
        done("in use");
      };
      asked.onupgradeneeded = () => {
        if (late) asked.transaction?.abort();
        else rebuild(asked.result, wanted);
      };
      asked.onerror = () => done(asked.error?.name === "VersionError" ? "newer" : "failed");
      asked.onsuccess = () => {
        const database = asked.result;
        database.onversionchange = () => database.close();
        /** @param {"" | "failed"} why */
        const end = (why) => {
          database.close();
          done(why);
        };
        if (wanted.stores.length === 0) return end("");
        try {
          const change = database.transaction(
            wanted.stores.map(({ name }) => name),
            "readwrite",
          );
          change.oncomplete = () => end("");
          change.onabort = () => end("failed");
          try {
            refill(change, wanted);
          } catch {
            change.abort();
          }
        } catch {
          end("failed"); // its stores have other names
        }
      };
    });

  return Promise.all(saved.map(async (it) => ({ name: it.name, why: await restored(it) })));
};
