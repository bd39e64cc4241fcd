import type { ApiObject, ObjectKey, Resource } from 'kube-endpoints/port';
import { type Clock, type Store, systemClock } from '../store/index.ts';
import type { User } from './caller.ts';
import { type ConvertedStores, createConvertedStores } from './converted-store.ts';
import { noSuchResource } from './errors.ts';
import { createFieldManagers, type FieldManagers } from './field-managers.ts';
import { idOf, type ResourceStrategy, type Strategies } from './strategy.ts';

/** A write as admission sees it. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly resource: Resource;
  readonly subresource?: string;
  /** The name is empty where it is yet to be generated, and where a whole collection is deleted. */
  readonly key: ObjectKey;
  /** As the API shows it; of `binding` and `eviction`, the Binding and the Eviction. Absent for a deletion. */
  readonly object?: ApiObject;
  /** What is stored. Absent for a creation. */
  readonly old?: ApiObject;
  readonly dryRun: boolean;
  /** Who asks. Absent where the call did not come over the network. */
  readonly user?: User;
  /** The options of the call as the API has them: CreateOptions, UpdateOptions or DeleteOptions; a patch is one of the first two. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Is told what the client should be warned of. */
  readonly warn?: (warning: string) => void;
}

/** What stands between a request and the store, beside the strategies. Either may refuse by throwing an ApiError. */
export interface Admission {
  /** Before the checks: answers with the object to go on with, or nothing to let it be. Its answer to a deletion is not looked at. */
  mutate?(request: AdmissionRequest): ApiObject | undefined | Promise<ApiObject | undefined>;
  /** After the checks. */
  validate?(request: AdmissionRequest): void | Promise<void>;
}

/** What all paths of the registry share. */
export interface RegistryContext {
  readonly store: Store;
  readonly clock: Clock;
  /** What time it is, as it stands in metadata. */
  readonly timestamp: () => string;
  readonly randomness: Randomness;
  readonly strategies: Strategies;
  readonly converted: ConvertedStores;
  readonly managers: FieldManagers;
  readonly admission: Admission;
  /** Whether writes keep `metadata.managedFields`. Server-side apply does in any case. */
  readonly managesFields: boolean;
}

type ContextOptions = Pick<RegistryContext, 'store' | 'strategies'> &
  Partial<Omit<RegistryContext, 'converted' | 'managers' | 'timestamp'>>;

export const createContext = (options: ContextOptions): RegistryContext => ({
  clock: systemClock,
  timestamp: createTimestamps(options.clock ?? systemClock),
  randomness: systemRandomness,
  admission: {},
  managesFields: false,
  converted: createConvertedStores(options.store),
  managers: createFieldManagers(options.strategies),
  ...options,
});

/** @throws ApiError NotFound where there is no such resource */
export function strategyFor({ strategies }: RegistryContext, resource: Resource): ResourceStrategy {
  const strategy = strategies.get(idOf(resource));
  if (!strategy) throw noSuchResource();
  return strategy;
}

/** The store as a resource sees it: where its objects are stored in another form, they come and go in its own. */
export const storeOf = ({ store, converted }: RegistryContext, strategy: ResourceStrategy): Store =>
  strategy.storedAs ? converted.storeOf(strategy) : store;

/** One strategy for each resource that is stored, be it served in several forms. */
export function storedOnce({ strategies }: RegistryContext): readonly ResourceStrategy[] {
  const byPlace = new Map<string, ResourceStrategy>();
  for (const strategy of strategies.values()) {
    const { group, plural } = (strategy.storedAs ?? strategy).resource;
    const place = `${plural}.${group}`;
    if (!strategy.storedAs || !byPlace.has(place)) byPlace.set(place, strategy);
  }
  return [...byPlace.values()];
}

/** What is stored, or undefined. */
export const lookUp = (context: RegistryContext, strategy: ResourceStrategy, key: ObjectKey): ApiObject | undefined =>
  storeOf(context, strategy).find(strategy.resource, key);

/** The time as it stands in metadata: RFC 3339, in seconds. It is put into words once a second. */
export function createTimestamps(clock: Pick<Clock, 'now'>): () => string {
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

/** Where the random part of an object comes from. Handed in, so that a test knows it beforehand. */
export interface Randomness {
  /** A whole number from 0 up to, but not including, the bound. */
  draw(bound: number): number;
  uuid(): string;
}

export const systemRandomness: Randomness = {
  draw: (bound) => Math.floor(Math.random() * bound),
  uuid: () => globalThis.crypto.randomUUID(),
};

/** All randomness from one source of numbers: version 4 of a UUID included. */
export function randomnessFrom(draw: (bound: number) => number): Randomness {
  const hex = (digits: number): string => Array.from({ length: digits }, () => draw(16).toString(16)).join('');
  return { draw, uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${(8 + draw(4)).toString(16)}${hex(3)}-${hex(12)}` };
}

/** Runs synchronous steps on the store; of a dry run, nothing remains but the answer. */
export function runSteps<T>(store: Store, dryRun: boolean, steps: () => T): T {
  if (!dryRun) return steps();
  let outcome: { readonly result: T } | undefined;
  const rehearsed = new Error('this was a dry run');
  try {
    store.transaction(() => {
      outcome = { result: steps() };
      throw rehearsed;
    });
  } catch (error) {
    if (error !== rehearsed) throw error;
  }
  return (outcome as unknown as { readonly result: T }).result;
}
