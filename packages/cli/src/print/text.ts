/**
 * Text from the input made fit for a terminal: characters that would move the cursor, change colours or reorder the line
 * are written as escapes.
 */
export const printable = (text: string): string =>
  text.replace(unprintable, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to catch
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A value in a message: short, in one line, of whatever kind it is. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value.length > longest ? `${JSON.stringify(value.slice(0, longest))}...` : JSON.stringify(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null)
    return Object.getPrototypeOf(value) === Object.prototype ? 'a map' : 'a value with a tag';
  return String(value);
}

const longest = 40;

/** How many there are in each state, in the words for it and in their order: "1 equal, 2 differ". */
export function countedStates<State extends string>(
  compared: readonly { readonly state: State }[],
  words: Readonly<Record<State, { readonly summary: (count: number) => string }>>,
): string {
  const states = Map.groupBy(compared, ({ state }) => state);
  const found = (Object.keys(words) as State[]).map((state) => ({ state, count: states.get(state)?.length ?? 0 }));
  return found.flatMap(({ state, count }) => (count > 0 ? [words[state].summary(count)] : [])).join(', ');
}

/** Words as lines of at most `width` characters; a longer word has a line of its own. Without a width all is one line. */
export function wrap(text: string, width: number | undefined): string[] {
  if (width === undefined || text.length <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines;
}
