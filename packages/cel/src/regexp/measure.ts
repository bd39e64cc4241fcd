/** The cost of compiling a pattern, estimated from its text. */
export interface Measure {
  /** Approximate number of instructions of its program, with repetitions expanded. */
  readonly size: number;
  /** The number of case-insensitive ranges of many characters, which are slow because each character is looked up. */
  readonly wideFoldedRanges: number;
}

/** Takes time linear in the pattern. The result is meaningless for a pattern with a syntax error. */
export function measurePattern(pattern: string): Measure {
  const openGroups: { readonly sum: number; readonly captures: number }[] = [];
  let sum = 0;
  let lastSize = 0;
  let wideRanges = 0;
  let ignoresCase = false;
  for (const [token] of pattern.matchAll(tokens)) {
    const repeat = parseRepeat(token);
    if (repeat) {
      const repeatedSize = lastSize * repeat.copies + repeat.choices;
      sum += repeatedSize - lastSize;
      lastSize = repeatedSize;
    } else if (opensGroup(token)) {
      openGroups.push({ sum, captures: /^\(\?[^P<]/.test(token) ? 0 : 2 });
      sum = 0;
    } else if (token === ')') {
      const group = openGroups.pop() ?? { sum: 0, captures: 0 };
      lastSize = Math.max(sum + group.captures, 1);
      sum = group.sum + lastSize;
    } else {
      lastSize = 1;
      sum += token.startsWith('\\Q') ? token.length : 1;
    }
    if (token.startsWith('[')) wideRanges += countWideRanges(token);
    ignoresCase ||= /^\(\?[imsU]*i/.test(token);
  }
  return { size: openGroups.reduce((total, each) => total + each.sum, sum), wideFoldedRanges: ignoresCase ? wideRanges : 0 };
}

/** Compiling one range takes several milliseconds. */
export const maxWideFoldedRanges = 20;

/** The pattern with unnamed groups. */
export const withoutGroupNames = (pattern: string): string =>
  pattern.replace(tokens, (token) => (/^\(\?P?<\w+>$/.test(token) ? '(' : token));

/** Tokens: quoted text, escapes, character classes, group starts, repetitions, and single characters. */
const tokens = new RegExp(
  [
    String.raw`\\Q[^]*?(?:\\E|$)`,
    String.raw`\\(?:[xpP]\{[^}]*\}?|x..|[pP].|[^]|$)`,
    String.raw`\[\^?\]?(?:\[:\^?\w*:\]|\\[^]|[^\]\\])*\]?`,
    String.raw`\(\?P?<[^>]*>?|\(\?[\w-]*[:)]?|[()]`,
    String.raw`(?:[*+?]|\{(?:0|[1-9]\d*)(?:,(?:0|[1-9]\d*)?)?\})\??|[^]`,
  ].join('|'),
  'gu',
);

const opensGroup = (token: string): boolean => token.startsWith('(') && !token.endsWith(')');

/** The number of copies that a repetition expands to, and of the instructions that choose between them. */
function parseRepeat(token: string): { readonly copies: number; readonly choices: number } | undefined {
  if (/^[*+?]/.test(token)) return { copies: 1, choices: 1 };
  const [, min, comma, max] = /^\{(\d+)(?:(,)(\d*))?\}/.exec(token) ?? [];
  if (min === undefined) return undefined;
  if (comma !== undefined && !max) return { copies: Math.max(Number(min), 1), choices: 1 };
  const maxCount = Number(max ?? min);
  return { copies: Math.max(maxCount, 1), choices: maxCount - Number(min) };
}

function countWideRanges(characterClass: string): number {
  const end = String.raw`(?:\\x\{([0-9A-Fa-f]+)\}|([^\\]))`;
  const ranges = characterClass.matchAll(new RegExp(`${end}-${end}`, 'gu'));
  const pointOf = (hex: string | undefined, char = ''): number =>
    hex === undefined ? (char.codePointAt(0) ?? 0) : Number.parseInt(hex, 16);
  let count = 0;
  for (const [, lowHex, low, highHex, high] of ranges) if (pointOf(highHex, high) - pointOf(lowHex, low) > 1000) count += 1;
  return count;
}
