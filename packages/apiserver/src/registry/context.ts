import type { ApiObject, ObjectKey, Resource } from 'kube-endpoints/port';
import { type Clock, type ListParameters, notFound, type Store, systemClock } from '../store/index.ts';
import type { User } from './caller.ts';
import { type Conversions, createConversions } from './conversions.ts';
import { type ConvertedStores, createConvertedStores } from './converted-store.ts';
import { noSuchResource } from './errors.ts';
import { createFieldManagers, type FieldManagers } from './field-managers.ts';
import { idOf, type ResourceStrategy, type Strategies } from './strategy.ts';

/** A write request for admission. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly resource: Resource;
  readonly subresource?: string;
  /** The name is empty if it is not generated yet, or if a collection is deleted. */
  readonly key: ObjectKey;
  /** The object in the external version. For `binding` and `eviction`, it is the Binding or Eviction. Absent for DELETE. */
  readonly object?: ApiObject;
  /** The stored object. Absent for CREATE. */
  readonly old?: ApiObject;
  readonly dryRun: boolean;
  /** The caller. Absent for in-process calls. */
  readonly user?: User;
  /** CreateOptions, UpdateOptions or DeleteOptions of the call. A patch has CreateOptions if it creates the object, else UpdateOptions. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Called with each warning for the client. */
  readonly warn?: (warning: string) => void;
}

/** Admission checks that run in addition to the strategies. Each method may refuse by throwing an ApiError. */
export interface Admission {
  /** Runs before validation. Returns the changed object, or undefined to leave it unchanged. The result is ignored for DELETE. */
  mutate?(request: AdmissionRequest): ApiObject | undefined | Promise<ApiObject | undefined>;
  /** Runs after validation. */
  validate?(request: AdmissionRequest): void | Promise<void>;
}

export interface RegistryContext {
  readonly store: Store;
  readonly clock: Clock;
  /** The current time in the format of metadata timestamps. */
  readonly timestamp: () => string;
  readonly randomness: Randomness;
  readonly strategies: Strategies;
  readonly convertedStores: ConvertedStores;
  readonly fieldManagers: FieldManagers;
  readonly conversions: Conversions;
  readonly admission: Admission;
  /** True to record `metadata.managedFields` on all writes; server-side apply always records it. */
  readonly managesFields: boolean;
}

type ContextOptions = Pick<RegistryContext, 'store' | 'strategies'> &
  Partial<Omit<RegistryContext, 'conversions' | 'convertedStores' | 'fieldManagers' | 'timestamp'>>;

export function createContext(options: ContextOptions): RegistryContext {
  const conversions = createConversions();
  return {
    clock: systemClock,
    timestamp: createTimestampFormatter(options.clock ?? systemClock),
    randomness: systemRandomness,
    admission: {},
    managesFields: false,
    conversions,
    convertedStores: createConvertedStores(options.store, conversions),
    fieldManagers: createFieldManagers(options.strategies),
    ...options,
  };
}

/** @throws ApiError NotFound if the resource is not served */
export function strategyFor({ strategies }: RegistryContext, resource: Resource): ResourceStrategy {
  const strategy = strategies.get(idOf(resource));
  if (!strategy) throw noSuchResource();
  return strategy;
}

/** Returns the store of a resource. This store converts objects that are stored in a different form. */
export const storeOf = ({ store, convertedStores }: RegistryContext, strategy: ResourceStrategy): Store =>
  strategy.storedAs ? convertedStores.storeOf(strategy) : (strategy.computed ?? store);

/** Lists objects of which only the metadata matters: in the stored form if a conversion would call another server. */
export function listForMetadata(
  context: RegistryContext,
  strategy: ResourceStrategy,
  parameters: ListParameters = {},
): readonly ApiObject[] {
  const { resource, storedAs } = strategy;
  const list = storedAs?.fromStoredAll
    ? context.store.list(storedAs.resource, parameters)
    : storeOf(context, strategy).list(resource, parameters);
  return list.items;
}

/** Returns one strategy per stored resource, even if the resource is served in several versions or groups: if possible, one without conversion. */
export function storedStrategies({ strategies }: RegistryContext): readonly ResourceStrategy[] {
  const byGroupResource = new Map<string, ResourceStrategy>();
  for (const strategy of strategies.values()) {
    const { group, plural } = (strategy.storedAs ?? strategy).resource;
    const groupResource = `${plural}.${group}`;
    if (!strategy.storedAs || !byGroupResource.has(groupResource)) byGroupResource.set(groupResource, strategy);
  }
  return [...byGroupResource.values()];
}

/** Returns the newest object, or undefined if it does not exist. */
export const lookUp = (context: RegistryContext, strategy: ResourceStrategy, key: ObjectKey): ApiObject | undefined =>
  storeOf(context, strategy).find(strategy.resource, key);

/** Returns the newest object. @throws ApiError NotFound */
export function requireStored(context: RegistryContext, strategy: ResourceStrategy, key: ObjectKey): ApiObject {
  const object = lookUp(context, strategy, key);
  if (!object) throw notFound(strategy.resource, key.name);
  return object;
}

/** Returns a function for the current time in RFC 3339, in whole seconds. It formats at most once per second. */
export function createTimestampFormatter(clock: Pick<Clock, 'now'>): () => string {
  let second = Number.NaN;
  let text = '';
  return () => {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) {
      second = now;
      text = timestampOf(now * 1000);
    }
    return text;
  };
}

export const timestampOf = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/** The source of randomness. Tests replace it, so that they are repeatable. */
export interface Randomness {
  /** An integer from 0 up to, but not including, the bound. */
  draw(bound: number): number;
  uuid(): string;
}

export const systemRandomness: Randomness = {
  draw: (bound) => Math.floor(Math.random() * bound),
  uuid: () => globalThis.crypto.randomUUID(),
};

/** Derives all randomness from one number source, including version 4 UUIDs. */
export function randomnessFrom(draw: (bound: number) => number): Randomness {
  const hex = (digits: number): string => Array.from({ length: digits }, () => draw(16).toString(16)).join('');
  return { draw, uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${(8 + draw(4)).toString(16)}${hex(3)}-${hex(12)}` };
}

/** Runs synchronous steps on the store; a dry run rolls them back and returns their result. */
export function runSteps<T>(store: Store, dryRun: boolean, steps: () => T): T {
  if (!dryRun) return steps();
  let outcome: { readonly result: T } | undefined;
  const rollback = new Error('this was a dry run');
  try {
    store.transaction(() => {
      outcome = { result: steps() };
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
  return (outcome as unknown as { readonly result: T }).result;
}
