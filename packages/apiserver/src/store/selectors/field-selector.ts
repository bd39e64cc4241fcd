/** A requirement on one field; an absent field counts as empty. */
export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

type ParsedFields = { readonly requirements: readonly FieldRequirement[]; readonly problem?: undefined } | { readonly problem: string };

const operators = ['!=', '==', '='];

/** Parses a field selector; problems carry upstream's messages: `parseSelector` (1.36, apimachinery/pkg/fields/selector.go). */
export function parseFieldSelector(text: string): ParsedFields {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text).sort()) {
    if (term === '') continue;
    const termParts = splitTerm(term);
    if (!termParts) return { problem: `invalid selector: '${text}'; can't understand '${term}'` };
    const value = unescapeValue(termParts.value);
    if (typeof value !== 'string') return value;
    // A term without field and value has no effect.
    if (termParts.field !== '' || value !== '') requirements.push({ field: termParts.field, equal: termParts.operator !== '!=', value });
  }
  return { requirements };
}

/** Splits at commas that are not escaped by a backslash. */
function splitTerms(text: string): string[] {
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

/** Removes the escaping backslashes; returns a problem for an invalid escape sequence or an unescaped comma or equals sign. */
function unescapeValue(text: string): string | { readonly problem: string } {
  let value = '';
  let isEscaped = false;
  for (const char of text) {
    if (isEscaped) {
      if (!'\\,='.includes(char)) return { problem: `invalid field selector: invalid escape sequence: \\${char}` };
      value += char;
      isEscaped = false;
    } else if (char === '\\') {
      isEscaped = true;
    } else if (char === ',' || char === '=') {
      return { problem: `invalid field selector: unescaped character in value: ${char.codePointAt(0)}` };
    } else {
      value += char;
    }
  }
  return isEscaped ? { problem: 'invalid field selector: invalid escape sequence: \\' } : value;
}
