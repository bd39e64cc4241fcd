import type { ApiObject, ObjectKey, Resource } from 'kube-endpoints/port';
import { type Clock, type Store, systemClock } from '../store/index.ts';
import type { User } from './caller.ts';
import { type ConvertedStores, createConvertedStores } from './converted-store.ts';
import { noSuchResource } from './errors.ts';
import { createFieldManagers, type FieldManagers } from './field-managers.ts';
import { idOf, type Strategies } from './identity.ts';
import { type Randomness, systemRandomness } from './randomness.ts';
import type { ResourceStrategy } from './strategy.ts';
import { createTimestamps } from './time.ts';

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

export type ContextOptions = Pick<RegistryContext, 'store' | 'strategies'> &
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
