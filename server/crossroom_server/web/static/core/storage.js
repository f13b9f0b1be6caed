// What this browser remembers, as JSON.

class BrowserStore {
  /** *open* returns the store; browsers that forbid it throw there. */
  constructor(open) {
    this.open = open;
  }

  read(key) {
    try {
      return JSON.parse(this.open().getItem(`crossroom ${key}`));
    } catch {
      return null;
    }
  }

  /** Remembers a value; `null` forgets it. */
  write(key, value) {
    try {
      if (value === null) this.open().removeItem(`crossroom ${key}`);
      else this.open().setItem(`crossroom ${key}`, JSON.stringify(value));
    } catch {
      // a private window: it is asked for again next time
    }
  }
}

/** Is shared by all tabs, and kept when the browser is closed. */
export const localStore = new BrowserStore(() => localStorage);
/** Belongs to one tab. */
export const sessionStore = new BrowserStore(() => sessionStorage);
