/** The cost of compiling a pattern, estimated from its text. */
export interface PatternMeasure {
  /** Approximate number of instructions of the compiled program, with repetitions expanded. */
  readonly size: number;
  /** The number of case-insensitive ranges of many characters, which are slow because each character is looked up. */
  readonly wideFoldedRangeCount: number;
}

/** Estimates the cost of a pattern, in time linear in its length. The result is meaningless for a pattern with a syntax error. */
export function measurePattern(pattern: string): PatternMeasure {
  const openGroups: { readonly sum: number; readonly captureSize: number }[] = [];
  let sum = 0;
  let lastSize = 0;
  let wideRangeCount = 0;
  let ignoresCase = false;
  for (const [token] of pattern.matchAll(tokenPattern)) {
    const repeat = parseRepeat(token);
    if (repeat) {
      const repeatedSize = lastSize * repeat.copies + repeat.choices;
      sum += repeatedSize - lastSize;
      lastSize = repeatedSize;
    } else if (isGroupStart(token)) {
      openGroups.push({ sum, captureSize: /^\(\?[^P<]/.test(token) ? 0 : 2 });
      sum = 0;
    } else if (token === ')') {
      const group = openGroups.pop() ?? { sum: 0, captureSize: 0 };
      lastSize = Math.max(sum + group.captureSize, 1);
      sum = group.sum + lastSize;
    } else {
      lastSize = 1;
      sum += token.startsWith('\\Q') ? token.length : 1;
    }
    if (token.startsWith('[')) wideRangeCount += countWideRanges(token);
    ignoresCase ||= /^\(\?[imsU]*i/.test(token);
  }
  return { size: openGroups.reduce((total, each) => total + each.sum, sum), wideFoldedRangeCount: ignoresCase ? wideRangeCount : 0 };
}

/** The maximum per pattern, because compiling one such range takes several milliseconds. */
export const maxWideFoldedRanges = 20;

/** Removes the names of groups. */
export const removeGroupNames = (pattern: string): string =>
  pattern.replace(tokenPattern, (token) => (/^\(\?P?<\w+>$/.test(token) ? '(' : token));

/** Tokens: quoted text, escapes, character classes, group starts, repetitions, and single characters. */
const tokenPattern = new RegExp(
  [
    String.raw`\\Q[^]*?(?:\\E|$)`,
    String.raw`\\(?:[xpP]\{[^}]*\}?|x..|[pP].|[^]|$)`,
    String.raw`\[\^?\]?(?:\[:\^?\w*:\]|\\[^]|[^\]\\])*\]?`,
    String.raw`\(\?P?<[^>]*>?|\(\?[\w-]*[:)]?|[()]`,
    String.raw`(?:[*+?]|\{(?:0|[1-9]\d*)(?:,(?:0|[1-9]\d*)?)?\})\??|[^]`,
  ].join('|'),
  'gu',
);

const isGroupStart = (token: string): boolean => token.startsWith('(') && !token.endsWith(')');

/**
 * Parses a repetition: the number of copies that it expands to, and the number of instructions that choose among the copies. Undefined
 * for any other token.
 */
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
  const codePointOf = (hex: string | undefined, char = ''): number =>
    hex === undefined ? (char.codePointAt(0) ?? 0) : Number.parseInt(hex, 16);
  let count = 0;
  for (const [, lowHex, low, highHex, high] of ranges) if (codePointOf(highHex, high) - codePointOf(lowHex, low) > 1000) count += 1;
  return count;
}
