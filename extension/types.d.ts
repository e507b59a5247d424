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
  type Tab = { id?: number; active: boolean; windowId: number };
  type Listener<T extends unknown[]> = { addListener(callback: (...args: T) => unknown): void };
  const runtime: {
    id: string;
    getURL(path: string): string;
    sendMessage(message: unknown): Promise<any>;
    onMessage: Listener<[any, Sender, (answer: unknown) => void]>;
  };
  const storage: {
    session: {
      get(key: string): Promise<Record<string, unknown>>;
      set(items: Record<string, unknown>): Promise<void>;
      remove(key: string): Promise<void>;
      onChanged: Listener<[Record<string, { oldValue?: unknown; newValue?: unknown }>]>;
    };
    local: { get(key: string): Promise<Record<string, any>>; set(items: Record<string, unknown>): Promise<void> };
  };
  const tabs: {
    query(about: Record<string, unknown>): Promise<Tab[]>;
    sendMessage(tab: number, message: unknown, options?: { frameId?: number }): Promise<any>;
    onRemoved: Listener<[number]>;
    onActivated: Listener<[{ tabId: number; windowId: number }]>;
    onUpdated: Listener<[number, { status?: string; url?: string }, Tab]>;
  };
  const windows: { getCurrent(): Promise<{ id?: number }> };
  const sidePanel: {
    open(where: { tabId?: number; windowId?: number }): Promise<void>;
    setPanelBehavior(behavior: { openPanelOnActionClick: boolean }): Promise<void>;
  };
  const action: {
    setBadgeText(about: { text: string }): Promise<void>;
    setBadgeBackgroundColor(about: { color: string }): Promise<void>;
  };
}
