import type { Verb } from '../registry/catalog.ts';
import type { FaultKind } from './rule.ts';

/** What a kind of fault is, and what it may be given. */
export interface Kind {
  /** The server's faults come before the call; of answers, a call gets one; delays add up; a watch may have a fault of each kind. */
  readonly sort: 'server' | 'delay' | 'answer' | 'watch';
  /** What it can happen to. */
  readonly verbs: readonly Verb[];
  /** What it happens to where a rule does not say. */
  readonly usual?: readonly Verb[];
  readonly fields: Readonly<Record<string, Check>>;
  readonly required?: readonly string[];
}

/** What a field may be. */
export type Check = 'boolean' | 'text' | 'seconds' | 'count span' | 'time span' | 'moment' | 'watches';

export const allVerbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const writes: readonly Verb[] = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const watches: readonly Verb[] = ['watch'];
const moment = { afterEvents: 'count span', afterMilliseconds: 'time span' } as const;

export const kinds: Readonly<Record<FaultKind, Kind>> = {
  dropWatch: { sort: 'watch', verbs: watches, fields: { ...moment, broken: 'boolean' } },
  stallWatch: { sort: 'watch', verbs: watches, fields: { ...moment, forMilliseconds: 'time span' } },
  expired: { sort: 'answer', verbs: watches, fields: {} },
  conflict: { sort: 'answer', verbs: ['delete', 'patch', 'update'], fields: {} },
  tooManyRequests: { sort: 'answer', verbs: allVerbs, fields: { retryAfterSeconds: 'seconds' } },
  internalError: { sort: 'answer', verbs: allVerbs, fields: { message: 'text' } },
  unavailable: { sort: 'answer', verbs: allVerbs, fields: {} },
  timeout: { sort: 'answer', verbs: allVerbs, fields: {} },
  latency: { sort: 'delay', verbs: allVerbs, fields: { milliseconds: 'time span' }, required: ['milliseconds'] },
  crash: { sort: 'answer', verbs: allVerbs, usual: writes, fields: { at: 'moment', downMilliseconds: 'time span' } },
  dropWatches: { sort: 'server', verbs: allVerbs, fields: { broken: 'boolean', watches: 'watches' } },
  stallWatches: { sort: 'server', verbs: allVerbs, fields: { forMilliseconds: 'time span', watches: 'watches' } },
  releaseWatches: { sort: 'server', verbs: allVerbs, fields: {} },
  compact: { sort: 'server', verbs: allVerbs, fields: {} },
  restart: { sort: 'server', verbs: allVerbs, fields: {} },
};
