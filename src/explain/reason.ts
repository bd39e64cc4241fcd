import { gateRows } from '../versions/gates.ts';
import type { Profile } from '../versions/index.ts';
import { type Span, spanOf } from '../versions/span.ts';
import type { Problem, Reason } from './explanation.ts';
import type { ReasonRow } from './reason-row.ts';
import { type ReasonCode, type ResultReasonCode, resultReasons, type ServiceReasonCode } from './reasons.ts';

/** Values for the braces of a message. */
export type Values = Readonly<Record<string, string | number>>;

/** Creates a reason, with the values filled in the message. */
export const createReason = (code: ResultReasonCode, path: string, profile: Profile, values: Values = {}): Reason =>
  createReasonOfRow(resultReasons[code], code, path, profile, values);

/** Creates a reason from its row of a table. */
export const createReasonOfRow = (row: ReasonRow, code: ReasonCode, path: string, profile: Profile, values: Values): Reason => ({
  code,
  message: fillTemplate(row.message, values),
  path,
  ...findSpan(row, profile),
});

/** Creates a reason that concerns a whole Service. */
export const createProblem = (code: ServiceReasonCode, path: string, profile: Profile, values: Values = {}): Problem => ({
  severity: resultReasons[code].severity ?? 'info',
  ...createReason(code, path, profile, values),
});

/** A text in quotes, or "none" if the text is absent or empty. */
export const quoteOrNone = (text: string | null | undefined): string => (text ? JSON.stringify(text) : 'none');

/** A number of things: "no pods", "1 pod", "3 pods". */
export const formatCountOf = (count: number, singular: string, plural: string): string =>
  `${count === 0 ? 'no' : count} ${count === 1 ? singular : plural}`;

/** A key as a path segment, in JSONPath notation. */
export const formatSegment = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`);

const fillTemplate = (message: string, values: Values): string =>
  message.replace(/\{(\w+)\}/g, (braces, name: string) => String(values[name] ?? braces));

function findSpan({ from, until }: ReasonRow, { version }: Profile): Span {
  return { ...(from && spanOf(gateRows[from], true, version)), ...(until && spanOf(gateRows[until], false, version)) };
}
