/** Escapes characters of input text that would move a terminal's cursor, change colours or reorder the line. */
export const escapeUnprintable = (text: string): string =>
  text.replace(unprintableCharacters, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them to escape them
const unprintableCharacters = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Formats a value for an error message: short and in one line. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string')
    return value.length > maxValueLength ? `${JSON.stringify(value.slice(0, maxValueLength))}...` : JSON.stringify(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null)
    return Object.getPrototypeOf(value) === Object.prototype ? 'a map' : 'a value with a tag';
  return String(value);
}

const maxValueLength = 40;

/** Counts each state, in the order and wording of `texts`: "1 equal, 2 differ". */
export function formatStateCounts<State extends string>(
  items: readonly { readonly state: State }[],
  texts: Readonly<Record<State, { readonly summary: (count: number) => string }>>,
): string {
  const itemsByState = Map.groupBy(items, ({ state }) => state);
  const counts = (Object.keys(texts) as State[]).map((state) => ({ state, count: itemsByState.get(state)?.length ?? 0 }));
  return counts.flatMap(({ state, count }) => (count > 0 ? [texts[state].summary(count)] : [])).join(', ');
}

/** Wraps words to lines of at most `width` characters, and breaks longer words. Without a width, returns one line. */
export function wrap(text: string, width: number | undefined): string[] {
  if (width === undefined || text.length <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((long) => breakWord(long, width))) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines;
}

/** Breaks a word that is longer than a line, if possible after punctuation: a field path, or a value in JSON. */
function breakWord(word: string, width: number): string[] {
  const parts: string[] = [];
  let rest = word;
  while (rest.length > width && width > 0) {
    const [start = rest.slice(0, width)] = /^.*[.,:;/=&[({-]/.exec(rest.slice(0, width)) ?? [];
    parts.push(start);
    rest = rest.slice(start.length);
  }
  return [...parts, rest];
}
