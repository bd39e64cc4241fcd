import { compareText } from 'kube-endpoints/internal/apimachinery';

/** A JSON value as Go's json.Marshal prints a map: keys sorted by their bytes, and HTML escaped. Undefined fields are dropped. */
export function printGoJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printGoJson).join(',')}]`;
  if (typeof value === 'string') return printString(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => compareText(a, b));
  return `{${fields.map(([key, field]) => `${printString(key)}:${printGoJson(field)}`).join(',')}}`;
}

const printString = (text: string): string => JSON.stringify(text.toWellFormed()).replace(/[<>&\u2028\u2029]/g, escapeCharacter);
const escapeCharacter = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
