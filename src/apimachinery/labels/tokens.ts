/** A piece of a label selector. A word is a key, a value or a keyword: which of them, the parser knows. */
export interface Token {
  readonly kind: 'word' | 'symbol' | 'end';
  readonly text: string;
}

const space = /[ \t\r\n]/;
const special = /[=!(),<>]/;
const nul = '\u0000';
const twoCharacters: readonly string[] = ['==', '!='];

/**
 * Splits a label selector. A NUL ends a word, and where no word is, the selector.
 *
 * Mirrors Lexer (1.36, apimachinery/pkg/labels/selector.go).
 */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length && text[at] !== nul) {
    const char = text[at] as string;
    if (space.test(char)) {
      at += 1;
    } else if (special.test(char)) {
      const pair = text.slice(at, at + 2);
      tokens.push({ kind: 'symbol', text: twoCharacters.includes(pair) ? pair : char });
      at += twoCharacters.includes(pair) ? 2 : 1;
    } else {
      const end = endOfWord(text, at);
      tokens.push({ kind: 'word', text: text.slice(at, end) });
      at = text[end] === nul ? end + 1 : end;
    }
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}

function endOfWord(text: string, start: number): number {
  let end = start;
  while (end < text.length && text[end] !== nul && !space.test(text[end] as string) && !special.test(text[end] as string)) end += 1;
  return end;
}
