import { type Place, RecordingError } from './types.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field that is an object; empty if it is absent. @throws RecordingError if it has another type */
export function fieldsAt(value: Fields, name: string, place: Place): Fields {
  const field = value[name] ?? {};
  if (isFields(field)) return field;
  throw new RecordingError(`${place}: ${name}: give an object`);
}

/** A field that is text; "" if it is absent. @throws RecordingError if it has another type */
export function textAt(value: Fields, name: string, place: Place): string {
  const field = value[name] ?? '';
  if (typeof field === 'string') return field;
  throw new RecordingError(`${place}: ${name}: give a string`);
}

/** A field with a time, in milliseconds since the epoch. @throws RecordingError if it is absent, or is not a time as in RFC 3339 */
export function timeAt(value: Fields, name: string, place: Place): number {
  const time = parseTime(value[name]);
  if (time !== undefined) return time;
  throw new RecordingError(`${place}: ${name}: give a time such as "2026-11-30T02:13:04.120000Z"`);
}

/** Milliseconds since the epoch; undefined if this is not a time as in RFC 3339. */
export function parseTime(value: unknown): number | undefined {
  if (typeof value !== 'string' || !rfc3339.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
