import type { EndpointSliceInput } from 'kube-endpoints/types';
import type { CacheEvent } from '../cache/cache.ts';
import { serviceOfSlice } from './object-events.ts';

/** The EndpointSlices of each Service, by the label that names it. */
export interface SliceIndex {
  take(event: CacheEvent<EndpointSliceInput>): void;
  /** In the order in which they came. */
  of(key: string): readonly EndpointSliceInput[];
}

export function createSliceIndex(): SliceIndex {
  const services = new Map<string, Map<string, EndpointSliceInput>>();
  const drop = (slice: EndpointSliceInput): void => {
    const key = serviceOfSlice(slice) ?? '';
    const slices = services.get(key);
    slices?.delete(nameOf(slice));
    if (slices?.size === 0) services.delete(key);
  };
  return {
    take({ type, object, old }) {
      const key = serviceOfSlice(object);
      if (type === 'updated' && serviceOfSlice(old) !== key) drop(old);
      if (type === 'deleted') return drop(object);
      if (key === undefined) return;
      const slices = services.get(key) ?? new Map<string, EndpointSliceInput>();
      services.set(key, slices.set(nameOf(object), object));
    },
    of: (key) => [...(services.get(key)?.values() ?? [])],
  };
}

const nameOf = ({ metadata }: EndpointSliceInput): string => metadata?.name ?? '';
