import {
  type AllocatableService,
  type BeginResult,
  beginCreate,
  beginDelete,
  beginUpdate,
  type ServiceAllocators,
  type ServiceFailure,
} from 'kube-endpoints/allocators';
import { type ApiError, type ApiObject, resources } from 'kube-endpoints/port';
import { child } from '../resources/field/read.ts';
import {
  builtInDescriptions,
  type Description,
  descriptions,
  type ListObjects,
  toAutoscalingV1,
  toAutoscalingV2,
  toCoreEvent,
  toGroupEvent,
} from '../resources/index.ts';
import { invalidObject } from '../resources/status.ts';
import type { Fields } from '../store/fields.ts';
import { type Store, status500 } from '../store/index.ts';
import { createBuiltInStrategy } from './built-in-strategy.ts';
import { toUserInfo, type User } from './caller.ts';
import { createComponentStatusStore } from './component-status.ts';
import { internalError } from './errors.ts';
import { specFinalizersOf } from './namespaces.ts';
import type { PendingWrite, ResourceStrategy } from './strategy.ts';

/**
 * Creates the strategies of all built-in resources, some with additional behaviour. Admission reads other objects from the store.
 * @param allDescriptions those of all built-in resources
 */
export function createBuiltInStrategies(
  allocators: ServiceAllocators,
  store?: Store,
  allDescriptions: readonly Description[] = builtInDescriptions(),
): ResourceStrategy[] {
  const listObjects = store && createObjectLister(store, allDescriptions);
  const extensions: Readonly<Record<string, (strategy: ResourceStrategy) => ResourceStrategy>> = {
    'namespaces.': namespaceStrategy,
    'services.': (strategy) => allocatingStrategy(strategy, allocators),
    'componentstatuses.': (strategy) =>
      store ? { ...strategy, computed: createComponentStatusStore(store, strategy.resource) } : strategy,
    'horizontalpodautoscalers.autoscaling': (strategy) => createAutoscalerStrategy(strategy, allDescriptions),
    'certificatesigningrequests.certificates.k8s.io': (strategy) => ({ ...strategy, recordUser: recordRequester }),
    'events.events.k8s.io': (strategy) => createGroupEventStrategy(strategy, createBuiltInStrategy(descriptions.events)),
  };
  return allDescriptions.map((description) => {
    const { plural, group } = description.resource;
    return (extensions[`${plural}.${group}`] ?? keepStrategy)(createBuiltInStrategy(description, listObjects));
  });
}

/** A CertificateSigningRequest names its creator, whatever the body says. Mirrors PrepareForCreate of csrStrategy (pkg/registry/certificates, 1.36). */
function recordRequester(object: ApiObject, user: User | undefined): ApiObject {
  const { username: _, uid: __, groups: ___, extra: ____, ...spec } = child(object as unknown as Fields, 'spec');
  return { ...object, spec: { ...spec, ...(user && toUserInfo(user)) } };
}

function createObjectLister(store: Store, all: readonly Description[]): ListObjects {
  const byGroupResource = new Map(all.map(({ resource }) => [`${resource.plural}.${resource.group}`, resource]));
  return (groupResource, namespace) => {
    const resource = byGroupResource.get(groupResource);
    return resource ? (store.list(resource, namespace === undefined ? {} : { namespace }).items as readonly Fields[]) : [];
  };
}

const keepStrategy = (strategy: ResourceStrategy): ResourceStrategy => strategy;

/** Creates the strategy of Events of events.k8s.io, which are stored as core/v1 Events with other field names. */
function createGroupEventStrategy(strategy: ResourceStrategy, core: ResourceStrategy): ResourceStrategy {
  return storeAs(strategy, core, toCoreEvent, toGroupEvent);
}

/** Creates the strategy of HorizontalPodAutoscalers, which are stored as autoscaling/v2. */
function createAutoscalerStrategy(strategy: ResourceStrategy, all: readonly Description[]): ResourceStrategy {
  const { group, plural, version } = strategy.resource;
  if (version === 'v2') return strategy;
  const stored = all.find(({ resource }) => resource.group === group && resource.plural === plural && resource.version === 'v2');
  return storeAs(strategy, createBuiltInStrategy(stored as Description), toAutoscalingV2, toAutoscalingV1);
}

type Conversion = (object: Fields) => Fields;

/** Stores the objects of a resource as those of another one. */
function storeAs(strategy: ResourceStrategy, stored: ResourceStrategy, toStored: Conversion, fromStored: Conversion): ResourceStrategy {
  const convert = (target: ResourceStrategy, object: Fields): ApiObject => target.encode(target.decode(object).object);
  return {
    ...strategy,
    storedAs: {
      resource: stored.resource,
      toStored: (object) => convert(stored, toStored(object)),
      fromStored: (object) => convert(strategy, fromStored(object)),
    },
  };
}

/** A namespace stays until its spec.finalizers are empty, regardless of its metadata.finalizers. */
export const namespaceStrategy = (strategy: ResourceStrategy): ResourceStrategy => ({
  ...strategy,
  isRemovable: (object) => specFinalizersOf(object).length === 0,
});

type Service = ApiObject & AllocatableService;

/**
 * Allocates cluster IPs and ports of Services before validation, and releases them if a later step fails.
 *
 * Mirrors REST of pkg/registry/core/service/storage/storage.go (1.36). Deletes the Endpoints of the same name with the Service, so that a
 * new Service of that name does not inherit them.
 */
export function allocatingStrategy(strategy: ResourceStrategy, allocators: ServiceAllocators): ResourceStrategy {
  const firstAddress = allocators.clusterIPs[allocators.defaultFamily]?.first;
  return {
    ...strategy,
    ...(firstAddress !== undefined && { ownAddress: firstAddress }),
    dependentResources: [resources.endpoints],
    beginCreate: (object, options) => toPendingWrite(object, beginCreate(object as Service, allocators, options)),
    beginUpdate: (object, old, options) => toPendingWrite(object, beginUpdate(object as Service, old as Service, allocators, options)),
    releaseAllocations: (object) => beginDelete(object as Service, allocators).commit(),
  };
}

function toPendingWrite({ metadata }: ApiObject, write: BeginResult<Service>): PendingWrite {
  if (write.failure) throw toApiError(write.failure, metadata.name ?? '');
  return { object: write.service, commit: write.commit, rollback: write.rollback };
}

function toApiError(failure: ServiceFailure, name: string): ApiError {
  if (failure.reason === 'Invalid') return invalidObject(resources.services, name, failure.causes);
  return failure.reason === 'InternalError' ? internalError(failure.message) : status500(failure.message);
}
