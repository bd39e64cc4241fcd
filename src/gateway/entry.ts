import type { Answer } from './answer.ts';
import { nearest } from './hosts.ts';
import { createReason, type GatewayReason, verdictOf } from './reasons.ts';
import type { Request } from './request.ts';

/** What a Gateway, or the Ingresses of a class, do with a request. */
export interface Entry {
  /** 3: answers it; 2: would, if there were no blockers; 1: knows the host, but no rule matches; 0: does not know the host. */
  readonly level: 0 | 1 | 2 | 3;
  /** For messages, for example "Gateway infra/public". */
  readonly name: string;
  /** The hostname that matches; empty if no hostname does. */
  readonly hostname: string;
  readonly answer: Answer;
}

/** An entry that answers, unless an error is among the checks of what serves it. */
export function createEntry(name: string, hostname: string, answer: Answer, checks: readonly GatewayReason[]): Entry {
  const blockers = checks.filter(({ code }) => verdictOf(code) === 'error');
  const { via, reasons } = answer;
  if (blockers.length === 0) return { level: 3, name, hostname, answer: { ...answer, reasons: [...reasons, ...checks] } };
  const why = reasons.filter(({ code }) => verdictOf(code) === 'ok');
  return { level: 2, name, hostname, answer: { ...(via && { via }), backends: [], reasons: [...blockers, ...why] } };
}

/** The answer if no rule for a known host matches the path. */
export const createPathNotFound = ({ host, path }: Request, paths: readonly string[]): GatewayReason =>
  createReason('PathNotFound', { host: JSON.stringify(host), requestPath: JSON.stringify(path), nearest: nearest(path, paths) });
