/** The warnings of one request, as values of the Warning header. */
export interface Warnings {
  add(text: string): void;
  readonly headers: readonly string[];
}

/** Characters. Warnings that together exceed this limit are truncated. */
const maxWarningCharacters = 4096;
/** Characters that a truncated warning keeps. */
const maxTruncatedCharacters = 256;

/** Collects warnings without duplicates. Mirrors recorder (1.36, apiserver/pkg/endpoints/filters/warning.go). */
export function createWarnings(): Warnings {
  let state: WarningState | undefined;
  return {
    add(text) {
      state ??= { texts: [], headers: [], writtenCharacters: 0, isTruncating: false };
      if (text !== '') addWarning(state, text);
    },
    get headers() {
      return state?.headers ?? noHeaders;
    },
  };
}

interface WarningState {
  readonly texts: string[];
  headers: string[];
  writtenCharacters: number;
  isTruncating: boolean;
}

const noHeaders: readonly string[] = [];

function addWarning(state: WarningState, text: string): void {
  if ((state.isTruncating && state.writtenCharacters >= maxWarningCharacters) || state.texts.includes(text)) return;
  state.texts.push(text);
  if (state.isTruncating || state.writtenCharacters + countCharacters(text) <= maxWarningCharacters) {
    writeHeader(state, text);
    return;
  }
  Object.assign(state, { isTruncating: true, headers: [], writtenCharacters: 0 });
  for (const each of state.texts) writeHeader(state, each);
}

function writeHeader(state: WarningState, text: string): void {
  const warning = state.isTruncating ? truncate(text) : text;
  if (hasControlCharacters(warning)) return;
  state.writtenCharacters += countCharacters(warning);
  state.headers.push(headerOf(warning));
}

// Non-Latin text is sent as its UTF-8 bytes, which is what clients of the real server expect.
const headerOf = (text: string): string => `299 - "${Buffer.from(text.replace(/["\\]/g, '\\$&'), 'utf8').toString('latin1')}"`;

const countCharacters = (text: string): number => [...text].length;

const truncate = (text: string): string =>
  text.length <= maxTruncatedCharacters ? text : [...text].slice(0, maxTruncatedCharacters).join('');

const hasControlCharacters = (text: string): boolean => /\p{Cc}/u.test(text);
