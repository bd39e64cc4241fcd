import type { Resource } from 'kube-endpoints/port';
import { everyVerb, type Verb } from '../registry/catalog.ts';
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
 * Selects among the matching calls. Without `chance`: `times` calls (default 1) from the `nth` (1-based) on. With `chance`, from 0 to 1:
 * each call from the `nth` on has that probability, up to `times` hits. If several rules would answer one call, the first rule applies.
 */
export type When =
  | 'once'
  | 'always'
  | { readonly nth?: number; readonly times?: number; readonly chance?: undefined }
  | { readonly chance: number; readonly nth?: number; readonly times?: number };

/** When a fault hits a watch, counted from its start. Without both fields it hits immediately; with both, at the earlier moment. */
interface WatchMoment {
  /** Number of delivered events, including bookmarks. */
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
  /** 504; the call is not executed. */
  | { readonly fault: 'timeout' }
  /** Delays the call before it is executed. */
  | { readonly fault: 'latency'; readonly milliseconds: Span }
  /**
   * The server crashes before the call is executed or, by default, after it and before the answer. It restarts after downMilliseconds,
   * if set.
   */
  | { readonly fault: 'crash'; readonly at?: 'before' | 'after'; readonly downMilliseconds?: Span };

/** Faults of the whole server, injected before a matching call is handled. */
export type ServerFault =
  | { readonly fault: 'dropWatches'; readonly broken?: boolean; readonly watches?: WatchScope }
  | { readonly fault: 'stallWatches'; readonly forMilliseconds?: Span; readonly watches?: WatchScope }
  | { readonly fault: 'releaseWatches' }
  /** Compacts the store at its current revision. */
  | { readonly fault: 'compact' }
  | { readonly fault: 'restart' };

export type Fault = CallFault | ServerFault;
export type FaultKind = Fault['fault'];

/** A fault, the calls it applies to, and when it happens (default: once). It can be serialized as JSON. */
export type FaultRule = Fault & CallScope & { readonly when?: When };

export type FaultOf<Kind extends FaultKind> = Extract<Fault, { readonly fault: Kind }>;

export interface KindProperties {
  /**
   * `server`: injected before the call. `delay`: several add up. `answer`: at most one for a call. `watch`: at most one of each kind for a
   * watch.
   */
  readonly category: 'server' | 'delay' | 'answer' | 'watch';
  /** The verbs that the fault can apply to. */
  readonly verbs: readonly Verb[];
  /** The verbs that the fault applies to if the rule has no `verbs`. */
  readonly defaultVerbs?: readonly Verb[];
  readonly fields: Readonly<Record<string, FieldType>>;
  readonly required?: readonly string[];
}

export type FieldType = 'boolean' | 'text' | 'seconds' | 'count span' | 'time span' | 'moment' | 'watches';

const writeVerbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const watchVerbs: readonly Verb[] = ['watch'];
const momentFields = { afterEvents: 'count span', afterMilliseconds: 'time span' } as const;

export const propertiesByKind: Readonly<Record<FaultKind, KindProperties>> = {
  dropWatch: { category: 'watch', verbs: watchVerbs, fields: { ...momentFields, broken: 'boolean' } },
  stallWatch: { category: 'watch', verbs: watchVerbs, fields: { ...momentFields, forMilliseconds: 'time span' } },
  expired: { category: 'answer', verbs: watchVerbs, fields: {} },
  conflict: { category: 'answer', verbs: ['delete', 'patch', 'update'], fields: {} },
  tooManyRequests: { category: 'answer', verbs: everyVerb, fields: { retryAfterSeconds: 'seconds' } },
  internalError: { category: 'answer', verbs: everyVerb, fields: { message: 'text' } },
  unavailable: { category: 'answer', verbs: everyVerb, fields: {} },
  timeout: { category: 'answer', verbs: everyVerb, fields: {} },
  latency: { category: 'delay', verbs: everyVerb, fields: { milliseconds: 'time span' }, required: ['milliseconds'] },
  crash: { category: 'answer', verbs: everyVerb, defaultVerbs: writeVerbs, fields: { at: 'moment', downMilliseconds: 'time span' } },
  dropWatches: { category: 'server', verbs: everyVerb, fields: { broken: 'boolean', watches: 'watches' } },
  stallWatches: { category: 'server', verbs: everyVerb, fields: { forMilliseconds: 'time span', watches: 'watches' } },
  releaseWatches: { category: 'server', verbs: everyVerb, fields: {} },
  compact: { category: 'server', verbs: everyVerb, fields: {} },
  restart: { category: 'server', verbs: everyVerb, fields: {} },
};

/** Checks a rule. @param path path of the rule, for messages. @throws RangeError that names the invalid field */
export function checkRule(rule: FaultRule, path: string): void {
  const fields: Fields = isFields(rule) ? rule : throwInvalid(path, 'must be a rule');
  const { fault } = fields;
  if (typeof fault !== 'string' || !Object.hasOwn(propertiesByKind, fault)) {
    throwInvalid(`${path}.fault`, `${formatValue(fault)} is not one of ${Object.keys(propertiesByKind).join(', ')}`);
  }
  const kindProperties = propertiesByKind[fault as keyof typeof propertiesByKind];
  for (const name of Object.keys(fields)) {
    if (['fault', 'when', ...scopeFields].includes(name) || fields[name] === undefined) continue;
    const fieldType = Object.hasOwn(kindProperties.fields, name) ? kindProperties.fields[name] : undefined;
    if (!fieldType) throwInvalid(`${path}.${name}`, `is not a field of the fault ${fault}`);
    else checksByType[fieldType](fields[name], `${path}.${name}`);
  }
  for (const name of kindProperties.required ?? []) if (fields[name] === undefined) throwInvalid(`${path}.${name}`, 'is required');
  checkScope(fields, path);
  const invalidVerbs = (rule.verbs ?? []).filter((verb) => !kindProperties.verbs.includes(verb));
  if (invalidVerbs.length > 0)
    throwInvalid(`${path}.verbs`, `${fault} does not apply to ${invalidVerbs.join(', ')}, only to ${kindProperties.verbs.join(', ')}`);
  checkWhen(fields['when'], `${path}.when`);
}

/** @throws RangeError if the value is not an integer of at least `min` */
export function checkInteger(value: unknown, path: string, min: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < min)
    throwInvalid(path, `${formatValue(value)} is not an integer of at least ${min}`);
}

export function throwInvalid(path: string, problem: string): never {
  throw new RangeError(`faults: ${path} ${problem}`);
}

const scopeFields: readonly string[] = ['verbs', 'resources', 'namespaces'];

const checksByType: Readonly<Record<FieldType, (value: unknown, path: string) => void>> = {
  boolean: (value, path) => typeof value === 'boolean' || throwInvalid(path, `${formatValue(value)} is neither true nor false`),
  text: (value, path) => typeof value === 'string' || throwInvalid(path, `${formatValue(value)} is not a string`),
  seconds: (value, path) => checkInteger(value, path, 1),
  'count span': (value, path) => checkSpan(value, path, Number.isSafeInteger, 'integer'),
  'time span': (value, path) => checkSpan(value, path, Number.isFinite, 'number'),
  moment: (value, path) =>
    value === 'before' || value === 'after' || throwInvalid(path, `${formatValue(value)} is neither "before" nor "after"`),
  watches(value, path) {
    if (!isFields(value)) throwInvalid(path, `${formatValue(value)} must be an object with resources or namespaces`);
    const unknownField = Object.keys(value).find((name) => name !== 'resources' && name !== 'namespaces');
    if (unknownField !== undefined) throwInvalid(`${path}.${unknownField}`, 'is neither resources nor namespaces');
    checkScope(value, path);
  },
};

function checkSpan(value: unknown, path: string, isValid: (number: unknown) => boolean, typeName: string): void {
  const ends = Array.isArray(value) ? value : [value, value];
  const [min, max] = ends;
  if (ends.length === 2 && ends.every((end) => isValid(end) && end >= 0) && min <= max) return;
  throwInvalid(path, `${formatValue(value)} is neither a non-negative ${typeName} nor a range [lowest, highest]`);
}

function checkScope(fields: Fields, path: string): void {
  for (const name of scopeFields) {
    const value = fields[name];
    if (value === undefined) continue;
    const isValid = name === 'verbs' ? isVerb : name === 'resources' ? isResource : isNonEmptyText;
    if (!Array.isArray(value) || value.length === 0) throwInvalid(`${path}.${name}`, `${formatValue(value)} is not a non-empty list`);
    const invalidIndex = value.findIndex((entry) => !isValid(entry));
    if (invalidIndex >= 0)
      throwInvalid(`${path}.${name}[${invalidIndex}]`, `${formatValue(value[invalidIndex])} is ${problemsByField[name]}`);
  }
}

const problemsByField: Readonly<Record<string, string>> = {
  verbs: `not one of ${everyVerb.join(', ')}`,
  resources: 'neither a plural such as "pods" nor a resource',
  namespaces: 'not a name',
};

function checkWhen(when: unknown, path: string): void {
  if (when === undefined || when === 'once' || when === 'always') return;
  if (!isFields(when) || Object.keys(when).length === 0)
    throwInvalid(path, `${formatValue(when)} is neither "once", "always" nor { nth, times, chance }`);
  const { nth, times, chance, ...rest } = when;
  for (const name of Object.keys(rest)) throwInvalid(`${path}.${name}`, 'is not one of nth, times, chance');
  if (nth !== undefined) checkInteger(nth, `${path}.nth`, 1);
  if (times !== undefined) checkInteger(times, `${path}.times`, 1);
  const isValidChance = chance === undefined || (typeof chance === 'number' && chance >= 0 && chance <= 1);
  if (!isValidChance) throwInvalid(`${path}.chance`, `${formatValue(chance)} is not a number from 0 to 1`);
}

const isNonEmptyText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isVerb = (value: unknown): boolean => (everyVerb as readonly unknown[]).includes(value);
const isResource = (value: unknown): boolean =>
  isFields(value)
    ? isNonEmptyText(value['plural']) && typeof value['group'] === 'string'
    : isNonEmptyText(value) && !(value as string).startsWith('/');

const formatValue = (value: unknown): string => JSON.stringify(value) ?? String(value);
