import { type TraceReasonCode, type TraceReasonRow, traceReasons } from './reasons.ts';
import type { TraceItem, TraceNote } from './trace.ts';

/** Values for the braces of a sentence. */
export type Values = Readonly<Record<string, string | number>>;

/** A note, its sentence filled in. */
export function note(code: TraceReasonCode, values: Values = {}, path?: string): TraceNote {
  const row: TraceReasonRow = traceReasons[code];
  return {
    code,
    message: fill(row.message, values),
    ...(path !== undefined && { path }),
    ...(row.mend !== undefined && { mend: fill(row.mend, values) }),
  };
}

export const item = (id: string, label: string, notes: readonly TraceNote[] = []): TraceItem => ({ id, label, notes });

/** A sentence with its values; braces without one stay. */
export const fill = (message: string, values: Values): string =>
  message.replace(/\{(\w+)\}/g, (braces, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : braces));

/** At most `most` names, and how many more there are. */
export function enumerate(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

/** "1 pod", "2 pods". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A sentence as a part of another one: without its full stop. */
export const clause = (message: string): string => message.replace(/\.$/, '');
