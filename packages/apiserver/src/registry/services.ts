import {
  type AllocatableService,
  type Begun,
  beginCreate,
  beginDelete,
  beginUpdate,
  type ServiceAllocators,
  type ServiceFailure,
} from 'kube-endpoints/allocators';
import { type ApiError, type ApiObject, resources } from 'kube-endpoints/port';
import { invalidObject } from '../resources/status.ts';
import { unclassified } from '../store/index.ts';
import { internalError } from './errors.ts';
import type { BegunWrite, ResourceStrategy } from './strategy.ts';

type Service = ApiObject & AllocatableService;

/**
 * Services with what is allocated for them: taken before the checks, given back where any later step fails.
 *
 * Mirrors REST of pkg/registry/core/service/storage/storage.go (1.36). Endpoints of the name go with the Service, so that a new one of the
 * same name does not find the old one's.
 */
export function allocatingStrategy(strategy: ResourceStrategy, allocators: ServiceAllocators): ResourceStrategy {
  const first = allocators.clusterIPs[allocators.defaultFamily]?.first;
  return {
    ...strategy,
    ...(first !== undefined && { ownAddress: first }),
    alsoDeletes: [resources.endpoints],
    beginCreate: (object, options) => begun(object, beginCreate(object as Service, allocators, options)),
    beginUpdate: (object, old, options) => begun(object, beginUpdate(object as Service, old as Service, allocators, options)),
    released: (object) => beginDelete(object as Service, allocators).commit(),
  };
}

function begun({ metadata }: ApiObject, write: Begun<Service>): BegunWrite {
  if (write.failure) throw errorOf(write.failure, metadata.name ?? '');
  return { object: write.service, commit: write.commit, rollback: write.rollback };
}

function errorOf(failure: ServiceFailure, name: string): ApiError {
  if (failure.reason === 'Invalid') return invalidObject(resources.services, name, failure.causes);
  return failure.reason === 'InternalError' ? internalError(failure.message) : unclassified(failure.message);
}
