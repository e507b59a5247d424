/**
 * Notices what happens in a document because of an action, and keeps nothing of the page after it: changes of the
 * tree (shadow roots too), input, scrolling, the focus, what a `:hover` or `:checked` style shows, what changes
 * silently. That a press moves the focus to what was pressed is no news, nor is the scrolling that brought it into
 * view. The daemon is told of the first sign of a reaction, and when the document is quiet again.
 * @param {Lib} lib
 */
export default (lib) => {
  const { documentChanges, silentChanges, tree } = lib;
  const PATH = Symbol.for("browse event path");
  const LOADED = new Set(["http:", "https:", "file:", "blob:", "data:"]);
  const QUIET_MS = 25;
  const FRAME_MS = 8;
  const IDLE_MS = 500;
  // What a page does when it has loaded shows itself so soon.
  const LOADED_MS = 100;
  // A tab in the background shows no frames; any other does, if late on a busy machine.
  const FRAMES_MS = { visible: 1500, hidden: 50 };
  const MAX_PATH = 64;
  // As long as a page may say that it is still at work before that is taken for its answer.
  const PENDING_MS = 1000;
  /** @type {Set<string | null>} */
  const SAYS_WORK = new Set(["aria-busy", "class"]);
  const AT_WORK = /(?:^|\s)(?:is-?)?(?:loading|busy)(?:\s|$)/i;
  const MAX_ANIMATION_MS = 1500;
  const SHOWS = new Set(
    (
      "opacity,visibility,display,height,maxHeight,width,maxWidth,transform,translate,scale,clipPath,top,left,right," +
      "bottom,gridTemplateRows"
    ).split(","),
  );
  const STATES =
    "hover|active|focus|focus-within|focus-visible|checked|target|open|invalid|valid|user-invalid|has|" +
    "placeholder-shown|indeterminate|state";
  const DYNAMIC = new RegExp(`:(${STATES})\\b`);
  const SHOWN_BY = ["display", "visibility", "opacity", "height", "max-height", "transform", "clip-path", "content"];

  const CHOICES = new Set(["checkbox", "radio"]);
  const MAX_SIGNS = 50;
  const MAX_ALERTS = 5;
  const MAX_ALERT_CHARS = 200;
  const isConnected = tree.getter(Node.prototype, "isConnected");
  /** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

  const fresh = () => ({
    changes: 0,
    scrolls: 0,
    /** Changes where the document changes by itself. */
    ticks: 0,
    /** When the page had loaded, if that was during the action. */
    loadedAt: Number.NEGATIVE_INFINITY,
    /** When signs of a reaction were seen, by the clock that requests are timed with. @type {number[]} */
    signs: [],
    /** Whether the next sign is to be told. */
    tellsSign: true,
    /** When the last sign was seen, other than a new value of a field. */
    at: Number.NEGATIVE_INFINITY,
    /** What loads something unless the page prevents it, which is known only after it. @type {Event[]} */
    loading: [],
    /** Whether a form was read: it may be about to be sent, of which a script fires no other event. */
    sends: false,
    runs: false,
    /** @type {Element | null} */
    pressed: null,
    /** Where what holds the pressed element was scrolled to. @type {Map<EventTarget | null, number[]>} */
    scrolledTo: new Map(),
    /** What kind of event the action was, by the last one. */
    acted: "",
    isOpaque: false,
    limit: 0,
    /** @type {string | null} */
    text: null,
    /** Whether something has changed of which no event tells. */
    silently: () => false,
    /** @type {WeakSet<Animation>} */
    before: new WeakSet(),
    frame: 0,
    shown: 0,
    began: performance.now(),
    wasLocked: false,
    /** What the page has marked as at work. @type {Set<Element>} */
    busy: new Set(),
    live: lib.liveRegions.begin(),
    /** Fields whose values a form has not accepted. @type {Set<Field>} */
    invalid: new Set(),
  });
  let seen = fresh();
  /** Names this action to the daemon; "" between actions. */
  let token = "";
  let isPatient = false;
  let firstMs = 0;
  let waitsForQuiet = false;
  /** What the events of the action have passed. @type {Set<Node>} */
  const path = new Set();
  /** The same as the daemon reads it, with a number that tells each of these lists from the others. */
  let told = Object.assign(/** @type {Node[]} */ ([]), { version: 0 });

  /** @param {string} word */
  const signal = (word) => documentChanges.signal(token, word);
  const sign = () => {
    if (performance.now() - seen.loadedAt < LOADED_MS) return;
    if (seen.signs.length === MAX_SIGNS) seen.signs.pop();
    seen.signs.push(Date.now());
    if (seen.tellsSign) signal("sign");
    seen.tellsSign = false;
  };
  /** Note that two frames are to be shown: styles and animations take effect in them. */
  const awaitFrames = () => {
    const mine = seen;
    mine.frame += 1;
    const wanted = mine.frame;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        mine.shown = wanted;
      }),
    );
  };
  const count = () => {
    seen.changes += 1;
    seen.at = performance.now();
    awaitFrames();
    sign();
  };

  /** What live regions and fields that do not accept their values say now. @returns {string[]} */
  const alerts = () => {
    // A page may have asked, and taken back what it found: then the field has no message any more.
    const refusing = [...seen.invalid].filter((it) => it.validationMessage);
    const fields = refusing.map((it) => `${lib.names.of(it)}: ${it.validationMessage}`);
    const all = [...seen.live.texts(), ...fields].map((it) =>
      it.replace(/\s+/g, " ").trim().slice(0, MAX_ALERT_CHARS).toWellFormed(),
    );
    return [...new Set(all)].filter(Boolean);
  };

  /** Whether a page says that it is at work here. @param {Element} element */
  const isAtWork = (element) =>
    isConnected(element) &&
    (tree.token(element, "aria-busy") === "true" || AT_WORK.test(tree.attr(element, "class") || ""));

  /** @param {MutationRecord[]} others @param {number} ticks */
  const onChanges = (others, ticks) => {
    for (const it of others) seen.live.note(it);
    for (const { target, attributeName } of others)
      if (SAYS_WORK.has(attributeName) && target instanceof Element && isAtWork(target)) seen.busy.add(target);
    seen.ticks += ticks;
    if (!others.length) return;
    count();
    seen.changes += others.length - 1;
  };

  /** Note the way of an event, on which the page may listen. @param {Event} event */
  const addPath = (event) => {
    for (const it of event.composedPath()) if (it instanceof Node && path.size < MAX_PATH) path.add(it);
    const now = [...path];
    if (now.length === told.length && now.every((it, at) => it === told[at])) return;
    told = Object.assign(now, { version: told.version + 1 });
    /** @type {Record<symbol, unknown>} */ (globalThis)[PATH] = told;
  };
  /** @param {EventTarget | null} target @returns {number[]} */
  const scrollPosition = (target) => {
    const element = target === document ? document.scrollingElement : target;
    return element instanceof Element ? [element.scrollLeft, element.scrollTop] : [0, 0];
  };
  /** @param {Event} event @param {"press" | "key" | "move" | "value"} kind */
  const act = (event, kind) => {
    // Nothing of a press comes before it; before a key or a value, the focus does.
    const isNew = kind === "press" || (kind === "move" && !seen.acted);
    if (isNew) documentChanges.flush();
    const tells = !seen.acted || isNew;
    if (isNew) Object.assign(seen, { signs: [], tellsSign: true });
    seen.acted = kind;
    const [target] = event.composedPath();
    // What is on the way inside a closed shadow root is not told.
    seen.isOpaque = target instanceof Element && tree.localName(target).includes("-") && !tree.shadowRoot(target);
    path.clear();
    addPath(event);
    if (tells) signal(`${kind === "value" ? "typed" : "acted"} ${Date.now()}`);
    limit();
  };
  /** End the time for a first sign, with what the page does in a frame or when it is idle, which was due by then. */
  const end = () => {
    const mine = token;
    if (isAnimating()) count();
    requestAnimationFrame(() => {}); // without frames, a page may wait long until it is idle
    requestIdleCallback(() => token === mine && signal("over"), { timeout: IDLE_MS });
  };
  /**
   * Begin the time for a first sign anew: a press is several events, and a page may react to the last of them. By the
   * page's own clock: on a busy machine its timers are late, and this one with them.
   */
  const limit = () => {
    const mine = token;
    clearTimeout(seen.limit);
    seen.limit = setTimeout(() => token === mine && end(), firstMs);
  };
  /**
   * Whether following a link loads something: to go to the place in the document where one is does not.
   * @param {HTMLAnchorElement | HTMLAreaElement} link
   */
  const loads = (link) => LOADED.has(link.protocol) && !(link.hash && link.href === location.href);
  /** Whether a field is for choosing: a page may answer to each choice. @param {EventTarget} field */
  const isChoice = (field) =>
    field instanceof HTMLSelectElement || (field instanceof HTMLInputElement && CHOICES.has(field.type));
  /** A new value is what the action was for, not yet an answer to it. @param {Event} event */
  const onValue = (event) => {
    if (seen.acted) addPath(event);
    else act(event, "value");
    seen.changes += 1;
    if (!isPatient && !isChoice(event.composedPath()[0])) sign();
  };

  /** @type {Record<string, (event: Event) => void>} */
  const LISTENERS = {
    input: onValue,
    change: onValue,
    // The page's own listeners for `load` run before ours would.
    readystatechange: () => {
      if (document.readyState === "complete") seen.loadedAt = performance.now();
    },
    toggle: count,
    fullscreenchange: count,
    invalid: (event) => {
      const [it] = event.composedPath();
      const isField =
        it instanceof HTMLInputElement || it instanceof HTMLTextAreaElement || it instanceof HTMLSelectElement;
      if (isField && seen.invalid.size < MAX_ALERTS) seen.invalid.add(it);
      count();
    },
    scroll: (event) => {
      // The event of a scroll comes a frame later than the scroll.
      const [left, top] = seen.scrolledTo.get(event.target) || [];
      const [nowLeft, nowTop] = scrollPosition(event.target);
      if (left === nowLeft && top === nowTop) return;
      seen.scrolls += 1;
      seen.at = performance.now();
      awaitFrames(); // a smooth scroll goes on in the next one
      sign();
    },
    mousemove: (event) => {
      if (!seen.pressed) act(event, "move");
    },
    mousedown: (event) => {
      act(event, "press");
      const target = event.composedPath()[0];
      seen.pressed = target instanceof Element ? target : null;
      seen.wasLocked = !!seen.pressed?.closest(":disabled");
      seen.scrolls = 0;
      seen.scrolledTo = new Map([[document, scrollPosition(document)]]);
      for (let at = seen.pressed; at; at = tree.parent(at)) seen.scrolledTo.set(at, scrollPosition(at));
      lib.cache.clear();
    },
    keydown: (event) => act(event, "key"),
    wheel: (event) => act(event, "press"),
    drop: (event) => act(event, "press"),
    click: (event) => {
      if (!seen.acted) act(event, "press");
      limit();
      const link = event.composedPath().find((at) => at instanceof Element && at.matches("a, area"));
      if (!(link instanceof HTMLAnchorElement || link instanceof HTMLAreaElement) || !link.href) return;
      if (link.protocol === "javascript:") seen.runs = true;
      else if (loads(link)) seen.loading.push(event);
    },
    formdata: () => {
      seen.sends = true;
    },
    submit: (event) => {
      if (event.target instanceof HTMLFormElement && event.target.method !== "dialog") seen.loading.push(event);
    },
    focusin: (event) => {
      const focused = event.composedPath()[0];
      const { pressed, acted } = seen;
      if (!acted) return; // a command has focused it, to press a key there
      if (pressed && focused instanceof Element && tree.isWithin(pressed, focused)) return;
      if (focused && isChoice(focused) && pressed?.closest("label")?.control === focused) return;
      seen.changes += 1;
      if (acted === "press" || acted === "key") sign();
    },
  };

  /** A script may send a form, or go elsewhere, without a press. @param {NavigateEvent} event */
  const onNavigate = (event) => {
    const { destination, downloadRequest } = event;
    if (!destination.sameDocument && downloadRequest === null && LOADED.has(new URL(destination.url).protocol))
      seen.loading.push(event);
  };

  /** The animations that the action started and that show, hide or move something until they end. */
  const running = () =>
    document.getAnimations().filter((it) => {
      const { effect } = it;
      if (seen.before.has(it) || it.playState !== "running" || !(effect instanceof KeyframeEffect)) return false;
      const left = Number(effect.getComputedTiming().endTime) - Number(it.currentTime);
      // One that has not begun yet may be over as soon as it has.
      if (!((left > 0 || it.pending) && left <= MAX_ANIMATION_MS)) return false;
      const isOwn = it instanceof CSSTransition && effect.target && seen.pressed;
      if (isOwn && tree.isWithin(/** @type {Element} */ (effect.target), /** @type {Element} */ (seen.pressed)))
        return false;
      return effect.getKeyframes().some((frame) => Object.keys(frame).some((name) => SHOWS.has(name)));
    });

  /** Whether they show an answer: those of what was pressed show that it was pressed. */
  const isAnimating = () =>
    running().some(({ effect }) => {
      const target = effect instanceof KeyframeEffect && effect.target;
      return target && !(seen.pressed && tree.isWithin(target, seen.pressed));
    });

  /** How long the page says that it is still at work: it has locked what was pressed, is busy, or loads a view. */
  const pending = () => {
    const isLocked = seen.pressed?.closest(":disabled") && !seen.wasLocked;
    const isBusy = [...seen.busy].some(isAtWork);
    return isLocked || isBusy || navigation.transition ? seen.began + PENDING_MS - performance.now() : 0;
  };
  /** How many milliseconds of quiet are missing; Infinity while something moves. */
  const restless = () => {
    if (seen.signs.length && running().length) return Number.POSITIVE_INFINITY;
    const passed = performance.now() - seen.at;
    if (seen.shown < seen.frame && passed < FRAMES_MS[document.visibilityState])
      return Math.max(FRAME_MS, QUIET_MS - passed);
    return Math.max(0, QUIET_MS - passed, Math.min(pending(), QUIET_MS));
  };
  /** The page is told of the end of an animation a frame later, and may answer to it. */
  const afterAnimation = () => {
    seen.at = performance.now();
    awaitFrames();
    checkQuiet();
  };
  const checkQuiet = () => {
    if (!token || !waitsForQuiet) return;
    const left = restless();
    if (!left) {
      waitsForQuiet = false;
      signal("quiet");
    } else if (Number.isFinite(left)) setTimeout(checkQuiet, left);
    else Promise.allSettled(running().map((it) => it.finished)).then(afterAnimation);
  };

  /** Whether a style may show or hide something by what is pointed at, focused or checked. */
  const shownByState = () => {
    for (const root of tree.roots()) {
      const { rules } = lib.styleRules.of(root);
      if (!rules) return true;
      if (
        rules.some(
          ({ selector, style }) => DYNAMIC.test(selector) && SHOWN_BY.some((it) => style.getPropertyValue(it)),
        )
      )
        return true;
    }
    return false;
  };
  const text = () => (document.body instanceof HTMLElement ? document.body.innerText : "");

  const rest = () => {
    documentChanges.unfollow();
    token = "";
    waitsForQuiet = false;
    seen = fresh();
    path.clear();
    told = Object.assign([], { version: told.version });
    delete (/** @type {Record<symbol, unknown>} */ (globalThis)[PATH]);
    for (const [event, listener] of Object.entries(LISTENERS)) removeEventListener(event, listener, true);
    navigation.removeEventListener("navigate", onNavigate);
  };

  /** @param {string} name */
  const stop = (name) => {
    if (name === token) rest();
    return name !== token;
  };

  /** @param {string} name @param {boolean} patient @param {number} first How long a first sign may take. */
  const start = (name, patient, first) => {
    rest();
    documentChanges.follow(onChanges);
    token = name;
    isPatient = patient;
    firstMs = first;
    seen.before = new WeakSet(document.getAnimations());
    if (shownByState()) seen.text = text();
    seen.silently = silentChanges.since();
    for (const [event, listener] of Object.entries(LISTENERS)) addEventListener(event, listener, true);
    navigation.addEventListener("navigate", onNavigate);
  };

  /**
   * What was seen since the start. With `tells` and while it is not quiet, the daemon is told when it is. With `anew`,
   * it is told of the next sign too.
   * @param {boolean} tells @param {boolean} ended @param {boolean} anew
   */
  const look = (tells, ended, anew) => {
    documentChanges.flush();
    seen.tellsSign ||= anew;
    if (ended) seen.at = performance.now();
    if (token && !seen.changes && seen.text !== null && text() !== seen.text) count();
    // Not a sign: a page that empties its fields may well do more.
    const silent = !seen.changes && seen.silently() ? 1 : 0;
    const quiet = !token || restless() === 0;
    if (tells && !quiet && !waitsForQuiet) {
      waitsForQuiet = true;
      checkQuiet();
    }
    return {
      changes: seen.changes + seen.scrolls + silent,
      ticks: seen.ticks,
      signs: seen.signs,
      acted: seen.acted,
      path: told.version,
      // Whether something may come of it that no listener on the way of the event tells of.
      runs: seen.runs || seen.isOpaque,
      // Whether a link was followed or a form sent, which the page did not prevent.
      loading: !navigation.transition && seen.loading.some((event) => !event.defaultPrevented),
      sends: seen.sends,
      quiet,
      alerts: token ? alerts() : [],
    };
  };

  /** Note that a command has scrolled: the page hears of that, and may show more, in the next frame. */
  const scrolled = () => {
    if (!token) return;
    seen.at = performance.now();
    awaitFrames();
  };

  return { start, stop, look, scrolled };
};
