import type { Answer } from './answer.ts';
import type { GatewayReason } from './reasons.ts';

/** What a Gateway, or the Ingresses of a class, do with a request. */
export interface Entry {
  /** 3: answers it; 2: would, if there were no blockers; 1: knows the host, but no rule matches; 0: does not know the host. */
  readonly level: 0 | 1 | 2 | 3;
  /** For messages, for example "Gateway infra/public". */
  readonly name: string;
  /** The hostname that matches; empty if there is none. */
  readonly hostname: string;
  readonly answer: Answer;
}

/** An entry that answers, unless something blocks it. */
export function createEntry(name: string, hostname: string, answer: Answer, blockers: readonly GatewayReason[]): Entry {
  if (blockers.length === 0) return { level: 3, name, hostname, answer };
  const { via, reasons } = answer;
  const why = reasons.filter(({ code }) => code === 'RuleMatches' || code === 'DefaultBackend');
  return { level: 2, name, hostname, answer: { ...(via && { via }), backends: [], reasons: [...blockers, ...why] } };
}
