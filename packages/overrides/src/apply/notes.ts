import { type DecisionCode, decisionMessages } from '../codes.ts';
import type { Decision } from '../overrides.ts';

/** What fills the braces of a message. */
export type Details = Readonly<Record<string, string | number>>;

/** Who decides. */
export interface Author {
  readonly name: string;
  readonly audit: boolean;
}

/** Decisions as they are made. */
export interface Notes {
  add(author: Author, code: DecisionCode, address?: string, details?: Details): void;
  /** In the order in which they were made. */
  decisions(): Decision[];
}

/** So many addresses are told of a rule and a code; of the others, how many they are. */
export const maxDecisions = 100;

export function createNotes(): Notes {
  const made: Decision[] = [];
  const counts = new Map<string, { readonly author: Author; readonly code: DecisionCode; count: number }>();
  return {
    add(author, code, address, details) {
      const key = `${code} ${author.name}`;
      const known = counts.get(key) ?? { author, code, count: 0 };
      counts.set(key, known);
      if (++known.count <= maxDecisions) made.push(decisionOf(author, code, address, details));
    },
    decisions: () => [
      ...made,
      ...[...counts.values()].filter(({ count }) => count > maxDecisions).map(({ author, code, count }) => othersOf(author, code, count)),
    ],
  };
}

export function decisionOf({ name, audit }: Author, code: DecisionCode, address?: string, details: Details = {}): Decision {
  const message = decisionMessages[code].replace(/\{(\w+)\}/g, (_, field: string) =>
    String(field === 'address' ? address : (details[field] ?? '')),
  );
  return { rule: name, code, message, ...(address !== undefined && { address }), audit };
}

const othersOf = ({ name, audit }: Author, code: DecisionCode, count: number): Decision => ({
  rule: name,
  code,
  message: `and so for ${count - maxDecisions} more addresses`,
  audit,
});
