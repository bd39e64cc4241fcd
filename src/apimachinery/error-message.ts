/** Returns a message for any thrown value, and never throws. */
export function messageOf(error: unknown): string {
  try {
    return truncate(textOf(error), maxMessageLength);
  } catch {
    return 'an error that cannot be read';
  }
}

/** Removes tokens and passwords from a message, in case an error contains them. */
export const redactSecrets = (text: string): string =>
  text
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, '$1 …')
    .replace(/(:\/\/)[^\s/@:]*:[^\s/@]+@/g, '$1…@')
    .replace(/((?:password|passwd|secret|token|api[-_]?key|authorization)[\w-]{0,20}(?:=|":"))[^\s"&,;]+/gi, '$1…');

const maxMessageLength = 4096;

function textOf(error: unknown): string {
  if (typeof error === 'function') return `a function ${error.name}`.trimEnd();
  if (typeof error !== 'object' || error === null) return String(error);
  const { message, code, errors, name } = error as Readonly<Record<string, unknown>>;
  if (isText(message)) return message;
  // When a connection to several addresses fails, the message of the AggregateError is empty.
  if (isText(code)) return code;
  if (Array.isArray(errors) && errors.length > 0) return errors.slice(0, maxErrors).map(shallowTextOf).join('; ');
  if (error instanceof Error) return isText(name) ? name : 'Error';
  return truncate(JSON.stringify(error) ?? 'an object', maxJSONLength);
}

const maxErrors = 10;
const maxJSONLength = 200;

/** The message of a nested error. Its own nested errors are not visited, because they may form a cycle. */
function shallowTextOf(error: unknown): string {
  const hasNestedErrors = typeof error === 'object' && error !== null && 'errors' in error;
  if (!hasNestedErrors) return messageOf(error);
  const { message, name } = error as Readonly<Record<string, unknown>>;
  return [message, name].find(isText) ?? 'an error';
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const truncate = (text: string, maxLength: number): string => (text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`);
