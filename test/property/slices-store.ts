import type { SlicePlan } from '../../src/spec/slices/plan.ts';
import type { EndpointSlice, EndpointSliceInput } from '../../src/types/index.ts';
import { freezeDeeply } from './check.ts';

/** The responses of the API server to the writes of a plan. */
export interface WriteResponses {
  readonly written: readonly EndpointSliceInput[];
  readonly deleted: readonly EndpointSliceInput[];
}

/**
 * An in-memory API server for EndpointSlices: it sets name, UID and resourceVersion, counts generations,
 * refuses writes to slices that do not exist, and skips writes without changes. Slices are frozen, and an unchanged slice
 * stays the same object.
 */
export interface SliceStore {
  list(): EndpointSliceInput[];
  add(slice: EndpointSliceInput): void;
  apply(plan: SlicePlan): WriteResponses;
}

export function createSliceStore(): SliceStore {
  const slices = new Map<string, EndpointSliceInput>();
  let counter = 0;
  const put = (slice: EndpointSliceInput): EndpointSliceInput => {
    const stored = freezeDeeply({ ...slice, metadata: { ...slice.metadata, resourceVersion: String(++counter) } });
    slices.set(keyOf(stored), stored);
    return stored;
  };
  const create = (slice: EndpointSlice): EndpointSliceInput => {
    const copy = JSON.parse(JSON.stringify(slice)) as EndpointSlice;
    const name = copy.metadata.name ?? `${copy.metadata.generateName}${String(++counter).padStart(6, '0')}`;
    if (copy.metadata.name !== undefined) throw new Error(`a new slice must not have a name: ${name}`);
    return put({ ...copy, metadata: { ...copy.metadata, name, uid: `uid-${name}`, generation: 1 } });
  };
  const update = (slice: EndpointSlice): EndpointSliceInput => {
    const copy = JSON.parse(JSON.stringify(slice)) as EndpointSlice;
    const existing = slices.get(keyOf(copy));
    if (!existing) throw new Error(`an update of a slice that does not exist: ${keyOf(copy)}`);
    const { uid, resourceVersion, generation } = existing.metadata ?? {};
    if (copy.metadata.resourceVersion !== resourceVersion || copy.metadata.uid !== uid) throw new Error(`Conflict: ${keyOf(copy)}`);
    const updated = { ...copy, metadata: { ...copy.metadata, generation } };
    if (toCanonicalJson(updated) === toCanonicalJson(existing)) return existing;
    const isContentChanged = toCanonicalJson({ ...updated, metadata: null }) !== toCanonicalJson({ ...existing, metadata: null });
    return put({ ...updated, metadata: { ...updated.metadata, generation: (generation ?? 0) + (isContentChanged ? 1 : 0) } });
  };
  const remove = (key: string): EndpointSliceInput => {
    const existing = slices.get(key);
    if (!existing) throw new Error(`a deletion of a slice that does not exist: ${key}`);
    slices.delete(key);
    return existing;
  };
  return {
    list: () => [...slices.values()],
    add: (slice) => {
      put(structuredClone(slice));
    },
    apply: (plan) => ({
      deleted: plan.delete.map((reference) => remove(keyOf(reference))),
      written: [...plan.create.map(create), ...plan.update.map(update)],
    }),
  };
}

export const keyOf = ({ metadata }: Pick<EndpointSliceInput, 'metadata'>): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;

/** JSON with sorted object keys. */
export const toCanonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) =>
    field !== null && typeof field === 'object' && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  );
