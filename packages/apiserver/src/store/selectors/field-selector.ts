/** A requirement on one field; a field that an object has not is empty. */
export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

type ParsedFields = { readonly requirements: readonly FieldRequirement[]; readonly problem?: undefined } | { readonly problem: string };

const operators = ['!=', '==', '='];

/** Reads a field selector, and says in the real parser's words what is wrong: `parseSelector` (1.36, apimachinery/pkg/fields/selector.go). */
export function parseFieldSelector(text: string): ParsedFields {
  const requirements: FieldRequirement[] = [];
  for (const term of termsOf(text).sort()) {
    if (term === '') continue;
    const split = splitTerm(term);
    if (!split) return { problem: `invalid selector: '${text}'; can't understand '${term}'` };
    const value = withoutBackslashes(split.value);
    if (typeof value !== 'string') return value;
    // A term without a field and a value asks for nothing.
    if (split.field !== '' || value !== '') requirements.push({ field: split.field, equal: split.operator !== '!=', value });
  }
  return { requirements };
}

/** The parts between commas that no backslash protects. */
function termsOf(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function splitTerm(term: string): { readonly field: string; readonly operator: string; readonly value: string } | undefined {
  for (let i = 0; i < term.length; i++) {
    const operator = operators.find((each) => term.startsWith(each, i));
    if (operator !== undefined) return { field: term.slice(0, i), operator, value: term.slice(i + operator.length) };
  }
  return undefined;
}

/** A value without the backslashes that protect what they stand before. */
function withoutBackslashes(text: string): string | { readonly problem: string } {
  let value = '';
  let escaping = false;
  for (const char of text) {
    if (escaping) {
      if (!'\\,='.includes(char)) return { problem: `invalid field selector: invalid escape sequence: \\${char}` };
      value += char;
      escaping = false;
    } else if (char === '\\') {
      escaping = true;
    } else if (char === ',' || char === '=') {
      return { problem: `invalid field selector: unescaped character in value: ${char.codePointAt(0)}` };
    } else {
      value += char;
    }
  }
  return escaping ? { problem: 'invalid field selector: invalid escape sequence: \\' } : value;
}
