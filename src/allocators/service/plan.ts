import { type BeginOptions, beginCreate, beginDelete, beginUpdate } from './begin.ts';
import type { AllocatableService, Allocation, ServiceAllocators, ServiceFailure } from './types.ts';

export interface PlanInput<T> {
  /** The Service as it is to be; without one it is deleted. */
  readonly service?: T;
  /** The Service as it is; without one it is created. */
  readonly old?: T;
}

/** What a write would take, free and store, as plain data. */
export type AllocationPlan<T> =
  | {
      readonly service?: Readonly<T>;
      readonly allocate: readonly Allocation[];
      readonly release: readonly Allocation[];
      readonly failure?: undefined;
    }
  | { readonly failure: ServiceFailure };

/** Plans a write without doing it: the allocators are as before. What is taken at random is one of many possible answers. */
export function planAllocation<T extends AllocatableService>(
  { service, old }: PlanInput<T>,
  allocators: ServiceAllocators,
  options: BeginOptions = {},
): AllocationPlan<T> {
  if (!service && !old) return { allocate: [], release: [] };
  const begun = service
    ? old
      ? beginUpdate(service, old, allocators, options)
      : beginCreate(service, allocators, options)
    : beginDelete(old as T, allocators, options);
  if (begun.failure) return { failure: begun.failure };
  begun.rollback();
  const { allocate, release } = begun;
  return service ? { service: begun.service, allocate, release } : { allocate, release };
}
