/** What a client is warned of, as the values of the header Warning. */
export interface Warnings {
  add(text: string): void;
  readonly headers: readonly string[];
}

/** How many characters all warnings may have together, before each of them is cut. */
const limit = 4096;
/** How many characters are left of each then. */
const cutLimit = 256;

/** Nothing is said twice. Mirrors recorder (1.36, apiserver/pkg/endpoints/filters/warning.go). */
export function createWarnings(): Warnings {
  let state: State | undefined;
  return {
    add(text) {
      state ??= { texts: [], headers: [], written: 0, cutting: false };
      if (text !== '') add(state, text);
    },
    get headers() {
      return state?.headers ?? none;
    },
  };
}

interface State {
  readonly texts: string[];
  headers: string[];
  written: number;
  cutting: boolean;
}

const none: readonly string[] = [];

function add(state: State, text: string): void {
  if ((state.cutting && state.written >= limit) || state.texts.includes(text)) return;
  state.texts.push(text);
  if (state.cutting || state.written + lengthOf(text) <= limit) {
    write(state, text);
    return;
  }
  Object.assign(state, { cutting: true, headers: [], written: 0 });
  for (const each of state.texts) write(state, each);
}

function write(state: State, text: string): void {
  const shown = state.cutting ? cut(text) : text;
  if (hasControls(shown)) return;
  state.written += lengthOf(shown);
  state.headers.push(headerOf(shown));
}

// What is not Latin goes over the wire as the bytes of its UTF-8, which is how headers are read by clients of the real server.
const headerOf = (text: string): string => `299 - "${Buffer.from(text.replace(/["\\]/g, '\\$&'), 'utf8').toString('latin1')}"`;

const lengthOf = (text: string): number => [...text].length;

const cut = (text: string): string => (text.length <= cutLimit ? text : [...text].slice(0, cutLimit).join(''));

const hasControls = (text: string): boolean => /\p{Cc}/u.test(text);
