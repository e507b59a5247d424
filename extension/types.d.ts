// biome-ignore-all lint/suspicious/noExplicitAny: Chrome passes on whatever was sent
/** What the files of the content script share. */
interface BrowsePage {
  documentId: number;
  open(): ShadowRoot;
  part(name: string, text?: string, tag?: string): HTMLElement;
  place(element: HTMLElement, x: number, y: number, width: number, height: number): void;
  showPill(count: unknown): void;
  showOverlays(boxes: unknown): void;
  hideOverlays(): void;
  startPicker(purpose: unknown): void;
  stopPicker(): void;
}

/** The parts of Chrome's extension interface that are used here. */
declare namespace chrome {
  type Sender = { id?: string; origin?: string; url?: string; tab?: { id?: number }; frameId?: number };
  type Tab = { id?: number; active: boolean; windowId: number; groupId: number; openerTabId?: number };
  type Debuggee = { tabId?: number; sessionId?: string };
  type Listener<T extends unknown[]> = { addListener(callback: (...args: T) => unknown): void };
  const runtime: {
    id: string;
    getURL(path: string): string;
    sendMessage(message: unknown): Promise<any>;
    onMessage: Listener<[any, Sender, (answer: unknown) => void]>;
  };
  const storage: {
    session: {
      get(key: string | string[]): Promise<Record<string, unknown>>;
      set(items: Record<string, unknown>): Promise<void>;
      remove(key: string): Promise<void>;
      onChanged: Listener<[Record<string, { oldValue?: unknown; newValue?: unknown }>]>;
    };
    local: { get(key: string): Promise<Record<string, any>>; set(items: Record<string, unknown>): Promise<void> };
  };
  const tabs: {
    query(about: Record<string, unknown>): Promise<Tab[]>;
    sendMessage(tab: number, message: unknown, options?: { frameId?: number }): Promise<any>;
    create(about: { url: string; active: boolean }): Promise<Tab>;
    update(tab: number, about: { active: boolean }): Promise<Tab>;
    remove(tab: number): Promise<void>;
    group(about: { tabIds: number[]; groupId?: number }): Promise<number>;
    onCreated: Listener<[Tab]>;
    onRemoved: Listener<[number]>;
    onActivated: Listener<[{ tabId: number; windowId: number }]>;
    onUpdated: Listener<[number, { status?: string; url?: string; groupId?: number }, Tab]>;
  };
  const tabGroups: {
    get(id: number): Promise<{ id: number; title?: string }>;
    query(about: { title: string }): Promise<{ id: number }[]>;
    update(id: number, about: { title: string; color: string }): Promise<unknown>;
    onUpdated: Listener<[{ id: number; title?: string }]>;
  };
  const windows: { getCurrent(): Promise<{ id?: number }> };
  const sidePanel: {
    open(where: { tabId?: number; windowId?: number }): Promise<void>;
    setPanelBehavior(behavior: { openPanelOnActionClick: boolean }): Promise<void>;
  };
  const action: {
    setBadgeText(about: { text: string; tabId?: number }): Promise<void>;
    setBadgeBackgroundColor(about: { color: string }): Promise<void>;
  };
}

// Its name is a word of the language.
declare namespace chrome {
  const debugging: {
    attach(to: Debuggee, version: string): Promise<void>;
    detach(from: Debuggee): Promise<void>;
    sendCommand(to: Debuggee, method: string, params: object): Promise<any>;
    onEvent: Listener<[Debuggee, string, object?]>;
    onDetach: Listener<[Debuggee, string]>;
  };

  export { debugging as debugger };
}
