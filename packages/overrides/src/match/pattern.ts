/** Whether a text is one of names, in which `*` stands for any text. */
export type TextMatcher = (text: string) => boolean;

/** Matches where any of the names does. */
export function matcherOfNames(names: readonly string[]): TextMatcher {
  const plain = new Set(names.filter((name) => !name.includes('*')));
  const patterns = names.filter((name) => name.includes('*')).map(matcherOfPattern);
  const [only] = plain;
  if (patterns.length === 0) return plain.size === 1 ? (text) => text === only : (text) => plain.has(text);
  if (plain.size === 0 && patterns.length === 1) return patterns[0] as TextMatcher;
  return (text) => plain.has(text) || patterns.some((matches) => matches(text));
}

/** Each part is looked for behind the one before it; what is found first is as good as anything found later. */
function matcherOfPattern(pattern: string): TextMatcher {
  const parts = pattern.split('*');
  const [first, last] = [parts[0] as string, parts.at(-1) as string];
  const middle = parts.slice(1, -1).filter((part) => part !== '');
  const least = first.length + last.length;
  return (text) => {
    if (text.length < least || !text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= text.length - last.length;
  };
}
