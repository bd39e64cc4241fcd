import type { ClientPort, SteadyClock } from 'kube-endpoints/port';
import { wholeNumber } from '../checks.ts';
import type { Settings } from './attempt.ts';

export interface KickerOptions {
  readonly port: Pick<ClientPort, 'get' | 'patch'>;
  readonly clock: SteadyClock;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly tell?: (happening: KickHappening) => void;
  /** How many Services are written at a time; 4 by default. */
  readonly concurrency?: number;
  /** How many Services may wait for their time; 100,000 by default. One more is refused, and told as `full`. */
  readonly limit?: number;
  /** Milliseconds that a kick comes after its time, so that a replica whose clock is behind finds that it has come; 250 by default. */
  readonly slack?: number;
  /** Milliseconds between two kicks of a Service, whoever made them; 1,000 by default. What comes sooner waits. */
  readonly gap?: number;
}

/**
 * What became of one that was due:
 * - `kicked`: the Service was written;
 * - `covered`: somebody else had, at that time or later;
 * - `gone`: there is no such Service;
 * - `delayed`: the last kick was a moment ago; it comes later;
 * - `retried`: that failed; it is tried again, for as long as it takes;
 * - `full`: too many wait already, so this one was not taken in.
 */
export interface KickHappening {
  readonly kind: 'kick';
  readonly key: string;
  /** RFC 3339. */
  readonly due: string;
  readonly outcome: 'kicked' | 'covered' | 'gone' | 'delayed' | 'retried' | 'full';
  readonly error?: unknown;
}

/** The options, checked, with their defaults. @throws RangeError that names the option */
export function settingsOf({ port, clock, random, ...given }: KickerOptions): Settings & {
  readonly concurrency: number;
  readonly limit: number;
} {
  return {
    port,
    clock,
    random,
    concurrency: wholeNumber('concurrency', given.concurrency ?? 4, 1),
    limit: wholeNumber('limit', given.limit ?? 100_000, 1),
    slack: wholeNumber('slack', given.slack ?? 250, 0),
    gap: wholeNumber('gap', given.gap ?? 1000, 0),
  };
}

/** Milliseconds since the epoch. @throws RangeError for a time that is none */
export function dueFrom(due: Date | string): number {
  const milliseconds = typeof due === 'string' ? Date.parse(due) : due.getTime();
  if (Number.isFinite(milliseconds)) return milliseconds;
  throw new RangeError(`due is ${JSON.stringify(due)}: give a time, such as "2026-01-02T03:04:05Z"`);
}

export function keyFrom(key: string): string {
  const [namespace, name, ...rest] = key.split('/');
  if (namespace && name && rest.length === 0) return key;
  throw new RangeError(`the key is ${JSON.stringify(key)}: give a Service as "namespace/name"`);
}
