import type { Resource } from 'kube-endpoints/port';
import type { Verb } from '../registry/catalog.ts';
import { type Fields, isFields } from '../store/fields.ts';

/** A fixed number, or a range (both ends included) from which a number is drawn. */
export type Span = number | readonly [lowest: number, highest: number];

/** A resource by plural, optionally with subresource and group: "pods", "pods/status", "endpointslices.discovery.k8s.io". */
export type ResourceName = string | Pick<Resource, 'group' | 'plural'>;

/** Selects watches. An absent field selects all. */
export interface WatchScope {
  readonly resources?: readonly ResourceName[];
  /** Matches neither calls for all namespaces nor those for cluster-scoped resources. */
  readonly namespaces?: readonly string[];
}

/** Selects calls. An absent field selects all calls that the fault applies to. */
export interface CallScope extends WatchScope {
  readonly verbs?: readonly Verb[];
}

/**
 * At which of the matching calls a fault happens: once (the first), always, from the nth for `times` calls (default 1), or at each call
 * with a chance from 0 to 1; with a chance, `nth` is the first call that can be hit, and `times` the maximum number of hits.
 * A call gets one answer: if two rules are due, the first of the list applies.
 */
export type When =
  | 'once'
  | 'always'
  | { readonly nth?: number; readonly times?: number; readonly chance?: undefined }
  | { readonly chance: number; readonly nth?: number; readonly times?: number };

/** When a fault hits a watch, counted from the start of the watch: immediately if neither field is set; if both are, whichever comes first. */
interface WatchMoment {
  /** Includes bookmarks. */
  readonly afterEvents?: Span;
  readonly afterMilliseconds?: Span;
}

/** Faults of a single call. */
export type CallFault =
  /** The watch ends: normally or, if `broken`, by a broken connection. */
  | ({ readonly fault: 'dropWatch'; readonly broken?: boolean } & WatchMoment)
  /** The watch delivers nothing, not even its end, until it is released or forMilliseconds have passed. */
  | ({ readonly fault: 'stallWatch'; readonly forMilliseconds?: Span } & WatchMoment)
  /** 410 for a watch that starts from a resourceVersion, even if that version is still available. */
  | { readonly fault: 'expired' }
  /** 409, as if another client had written in between. */
  | { readonly fault: 'conflict' }
  /** 429. */
  | { readonly fault: 'tooManyRequests'; readonly retryAfterSeconds?: number }
  /** 500. */
  | { readonly fault: 'internalError'; readonly message?: string }
  /** 503, as from a server that is shutting down. */
  | { readonly fault: 'unavailable' }
  /** 504; the call is not carried out. */
  | { readonly fault: 'timeout' }
  /** Delays the call before it is carried out. */
  | { readonly fault: 'latency'; readonly milliseconds: Span }
  /**
   * The server crashes before the call is carried out or, by default, between that and the answer. It restarts after
   * downMilliseconds, if set.
   */
  | { readonly fault: 'crash'; readonly at?: 'before' | 'after'; readonly downMilliseconds?: Span };

/** Faults of the whole server, just before a matching call is handled. */
export type ServerFault =
  | { readonly fault: 'dropWatches'; readonly broken?: boolean; readonly watches?: WatchScope }
  | { readonly fault: 'stallWatches'; readonly forMilliseconds?: Span; readonly watches?: WatchScope }
  | { readonly fault: 'releaseWatches' }
  /** Compacts the store at its current revision. */
  | { readonly fault: 'compact' }
  | { readonly fault: 'restart' };

export type Fault = CallFault | ServerFault;
export type FaultKind = Fault['fault'];

/** A fault, the calls it applies to, and when it happens (default: once). Plain data. */
export type FaultRule = Fault & CallScope & { readonly when?: When };

/** The fault of one kind. */
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { readonly fault: Kind }>;

/** Properties of a kind of fault. */
export interface KindProperties {
  /** `server`: happens before the call; `delay`: delays add up; `answer`: a call gets one; `watch`: a watch may have one fault of each kind. */
  readonly category: 'server' | 'delay' | 'answer' | 'watch';
  /** The verbs it can apply to. */
  readonly verbs: readonly Verb[];
  /** The verbs it applies to if the rule has none. */
  readonly defaultVerbs?: readonly Verb[];
  readonly fields: Readonly<Record<string, FieldType>>;
  readonly required?: readonly string[];
}

/** The type of a field. */
export type FieldType = 'boolean' | 'text' | 'seconds' | 'count span' | 'time span' | 'moment' | 'watches';

export const allVerbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const writes: readonly Verb[] = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const watches: readonly Verb[] = ['watch'];
const momentFields = { afterEvents: 'count span', afterMilliseconds: 'time span' } as const;

export const kinds: Readonly<Record<FaultKind, KindProperties>> = {
  dropWatch: { category: 'watch', verbs: watches, fields: { ...momentFields, broken: 'boolean' } },
  stallWatch: { category: 'watch', verbs: watches, fields: { ...momentFields, forMilliseconds: 'time span' } },
  expired: { category: 'answer', verbs: watches, fields: {} },
  conflict: { category: 'answer', verbs: ['delete', 'patch', 'update'], fields: {} },
  tooManyRequests: { category: 'answer', verbs: allVerbs, fields: { retryAfterSeconds: 'seconds' } },
  internalError: { category: 'answer', verbs: allVerbs, fields: { message: 'text' } },
  unavailable: { category: 'answer', verbs: allVerbs, fields: {} },
  timeout: { category: 'answer', verbs: allVerbs, fields: {} },
  latency: { category: 'delay', verbs: allVerbs, fields: { milliseconds: 'time span' }, required: ['milliseconds'] },
  crash: { category: 'answer', verbs: allVerbs, defaultVerbs: writes, fields: { at: 'moment', downMilliseconds: 'time span' } },
  dropWatches: { category: 'server', verbs: allVerbs, fields: { broken: 'boolean', watches: 'watches' } },
  stallWatches: { category: 'server', verbs: allVerbs, fields: { forMilliseconds: 'time span', watches: 'watches' } },
  releaseWatches: { category: 'server', verbs: allVerbs, fields: {} },
  compact: { category: 'server', verbs: allVerbs, fields: {} },
  restart: { category: 'server', verbs: allVerbs, fields: {} },
};

/** @throws RangeError if the rule is invalid; the message names the field */
export function checkRule(rule: FaultRule, at: string): void {
  const fields: Fields = isFields(rule) ? rule : throwInvalid(at, 'must be a rule');
  const { fault } = fields;
  if (typeof fault !== 'string' || !Object.hasOwn(kinds, fault)) {
    throwInvalid(`${at}.fault`, `${formatValue(fault)} is not one of ${Object.keys(kinds).join(', ')}`);
  }
  const kind = kinds[fault as keyof typeof kinds];
  for (const name of Object.keys(fields)) {
    if (['fault', 'when', ...scope].includes(name) || fields[name] === undefined) continue;
    const check = Object.hasOwn(kind.fields, name) ? kind.fields[name] : undefined;
    if (!check) throwInvalid(`${at}.${name}`, `is not a field of the fault ${fault}`);
    else checks[check](fields[name], `${at}.${name}`);
  }
  for (const name of kind.required ?? []) if (fields[name] === undefined) throwInvalid(`${at}.${name}`, 'is required');
  checkScope(fields, at);
  const invalid = (rule.verbs ?? []).filter((verb) => !kind.verbs.includes(verb));
  if (invalid.length > 0) throwInvalid(`${at}.verbs`, `${fault} does not apply to ${invalid.join(', ')}, only to ${kind.verbs.join(', ')}`);
  checkWhen(fields['when'], `${at}.when`);
}

/** @throws RangeError if the value is not an integer of at least `min` */
export function checkInteger(value: unknown, at: string, min: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < min)
    throwInvalid(at, `${formatValue(value)} is not an integer of at least ${min}`);
}

export function throwInvalid(at: string, why: string): never {
  throw new RangeError(`faults: ${at} ${why}`);
}

const scope: readonly string[] = ['verbs', 'resources', 'namespaces'];

const checks: Readonly<Record<FieldType, (value: unknown, at: string) => void>> = {
  boolean: (value, at) => typeof value === 'boolean' || throwInvalid(at, `${formatValue(value)} is neither true nor false`),
  text: (value, at) => typeof value === 'string' || throwInvalid(at, `${formatValue(value)} is not a string`),
  seconds: (value, at) => checkInteger(value, at, 1),
  'count span': (value, at) => checkSpan(value, at, Number.isSafeInteger, 'integer'),
  'time span': (value, at) => checkSpan(value, at, Number.isFinite, 'number'),
  moment: (value, at) =>
    value === 'before' || value === 'after' || throwInvalid(at, `${formatValue(value)} is neither "before" nor "after"`),
  watches(value, at) {
    if (!isFields(value)) throwInvalid(at, `${formatValue(value)} must be an object with resources or namespaces`);
    const unknown = Object.keys(value).find((name) => name !== 'resources' && name !== 'namespaces');
    if (unknown !== undefined) throwInvalid(`${at}.${unknown}`, 'is neither resources nor namespaces');
    checkScope(value, at);
  },
};

function checkSpan(value: unknown, at: string, isValid: (number: unknown) => boolean, what: string): void {
  const ends = Array.isArray(value) ? value : [value, value];
  const [min, max] = ends;
  if (ends.length === 2 && ends.every((end) => isValid(end) && end >= 0) && min <= max) return;
  throwInvalid(at, `${formatValue(value)} is neither a non-negative ${what} nor a range [lowest, highest]`);
}

function checkScope(fields: Fields, at: string): void {
  for (const name of scope) {
    const value = fields[name];
    if (value === undefined) continue;
    const isValid = name === 'verbs' ? isVerb : name === 'resources' ? isResource : isName;
    if (!Array.isArray(value) || value.length === 0) throwInvalid(`${at}.${name}`, `${formatValue(value)} is not a non-empty list`);
    const invalid = value.findIndex((entry) => !isValid(entry));
    if (invalid >= 0) throwInvalid(`${at}.${name}[${invalid}]`, `${formatValue(value[invalid])} is ${invalidTexts[name]}`);
  }
}

const invalidTexts: Readonly<Record<string, string>> = {
  verbs: `not one of ${allVerbs.join(', ')}`,
  resources: 'neither a plural such as "pods" nor a resource',
  namespaces: 'not a name',
};

function checkWhen(when: unknown, at: string): void {
  if (when === undefined || when === 'once' || when === 'always') return;
  if (!isFields(when) || Object.keys(when).length === 0)
    throwInvalid(at, `${formatValue(when)} is neither "once", "always" nor { nth, times, chance }`);
  const { nth, times, chance, ...rest } = when;
  for (const name of Object.keys(rest)) throwInvalid(`${at}.${name}`, 'is not one of nth, times, chance');
  if (nth !== undefined) checkInteger(nth, `${at}.nth`, 1);
  if (times !== undefined) checkInteger(times, `${at}.times`, 1);
  const isChance = chance === undefined || (typeof chance === 'number' && chance >= 0 && chance <= 1);
  if (!isChance) throwInvalid(`${at}.chance`, `${formatValue(chance)} is not a number from 0 to 1`);
}

const isName = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isVerb = (value: unknown): boolean => (allVerbs as readonly unknown[]).includes(value);
const isResource = (value: unknown): boolean =>
  isFields(value) ? isName(value['plural']) && typeof value['group'] === 'string' : isName(value) && !(value as string).startsWith('/');

const formatValue = (value: unknown): string => JSON.stringify(value) ?? String(value);
