import { type ApiObject, hasReason, type ObjectKey, type Resource } from '../../port/index.ts';
import type { Clock, Store } from '../store/index.ts';
import { noSuchResource } from './errors.ts';
import type { Randomness } from './randomness.ts';
import type { ResourceStrategy } from './strategy.ts';

/** A write as admission sees it. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly resource: Resource;
  readonly subresource?: string;
  /** The name is empty where it is yet to be generated. */
  readonly key: ObjectKey;
  readonly object?: ApiObject;
  readonly old?: ApiObject;
  readonly dryRun: boolean;
  /** Who asks. Absent where the call did not come over the network. */
  readonly user?: User;
  /** The options of the call as the API has them: CreateOptions, UpdateOptions, PatchOptions, DeleteOptions. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Is told what the client should be warned of. */
  readonly warn?: (warning: string) => void;
}

/** `authentication.k8s.io/v1`'s UserInfo. */
export interface User {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
}

/** What stands between a request and the store, beside the strategies. Either may refuse by throwing an ApiError. */
export interface Admission {
  /** Before the checks: answers with the object to go on with. What it answers to a deletion is not looked at. */
  mutate?(request: AdmissionRequest): ApiObject | undefined | Promise<ApiObject | undefined>;
  /** After the checks. */
  validate?(request: AdmissionRequest): void | Promise<void>;
}

/** What all paths of the registry share. */
export interface RegistryContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly strategies: ReadonlyMap<string, ResourceStrategy>;
  readonly admission: Admission;
  /** Whether writes keep `metadata.managedFields`. Server-side apply does in any case. */
  readonly managesFields: boolean;
}

/** Resources are told apart by group and plural. */
export const idOf = ({ group, plural }: Pick<Resource, 'group' | 'plural'>): string => `${plural}.${group}`;

/** @throws ApiError NotFound where there is no such resource */
export function strategyFor({ strategies }: RegistryContext, resource: Resource): ResourceStrategy {
  const strategy = strategies.get(idOf(resource));
  if (!strategy) throw noSuchResource();
  return strategy;
}

/** What is stored, or undefined. */
export function lookUp({ store }: RegistryContext, resource: Resource, key: ObjectKey): ApiObject | undefined {
  try {
    return store.get(resource, key);
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}
