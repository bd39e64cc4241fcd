import { createReconciler, type Reconciler } from '../../src/index.ts';
import type { EndpointInput, EndpointSliceInput, Node, Pod, Service } from '../../src/types/index.ts';

/** A case with its nodes; a step replaces the parts that it names. */
export interface NodeCase {
  readonly id: string;
  readonly service: Service;
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly steps?: readonly NodeStep[];
}

export interface NodeStep {
  readonly service?: Service;
  readonly pods?: readonly Pod[];
  readonly nodes?: readonly Node[];
  readonly serviceDeleted?: true;
}

/** The writes for one address type and port list; slices have random names and unordered endpoints. */
export interface WrittenGroup {
  readonly addressType: string;
  readonly ports: readonly unknown[];
  readonly labels?: object;
  readonly annotations?: object;
  /** Verb and number of endpoints of each slice. */
  readonly sizes: readonly (readonly [string, number])[];
  readonly endpoints: readonly EndpointInput[];
  /** The number of hints per zone or node, if their assignment to endpoints is random; the endpoints are then listed without hints. */
  readonly hintCounts?: Readonly<Record<string, number>>;
}

/** The result of one sync; `slices` is absent if nothing was written. */
export interface SliceSync {
  readonly slices?: { readonly written: readonly WrittenGroup[]; readonly deleted: number };
  /** Whether the sync must be repeated. */
  readonly error?: true;
  /** The endpoints controller panics here, which hides an error of the slice controller. */
  readonly panic?: true;
}

export interface SliceAnswer extends SliceSync {
  readonly id: string;
  /** The runs of the controller differ in more than hints, so that the result is unknown. */
  readonly varies?: true;
  readonly steps?: readonly SliceSync[];
}

/** Runs a case with the library; each sync uses the slices that the library wrote before. */
export function runCase(
  { service, pods, nodes, steps = [] }: NodeCase,
  version: string,
  reconciler: Reconciler = createReconciler({ version }),
): SliceSync[] {
  const key = `${service.metadata?.namespace ?? ''}/${service.metadata?.name ?? ''}`;
  const store = createStore();
  let state: { service: Service | undefined; pods: readonly Pod[]; nodes: readonly Node[] } = { service: undefined, pods: [], nodes: [] };
  return [{ service, pods, nodes }, ...steps].map((step: NodeStep) => {
    state = {
      service: step.serviceDeleted ? undefined : (step.service ?? state.service),
      pods: step.pods ?? state.pods,
      nodes: step.nodes ?? state.nodes,
    };
    const { create, update, delete: deleted, retry } = reconciler.reconcileSlices({ key, ...state, current: store.list() });
    for (const slice of [...create, ...update]) reconciler.observe(store.put(slice));
    for (const { metadata } of deleted) {
      const slice = store.remove(metadata.name);
      reconciler.expectDeletion(slice);
      reconciler.handleDeletion(slice);
    }
    const written = groupWritten([
      ...create.map((slice) => ({ verb: 'create', slice })),
      ...update.map((slice) => ({ verb: 'update', slice })),
    ]);
    const hasNoWrites = written.length === 0 && deleted.length === 0;
    return { ...(retry && { error: true as const }), ...(!hasNoWrites && { slices: { written, deleted: deleted.length } }) };
  });
}

/** The slices of one namespace, with the fields that an API server sets. */
function createStore(): {
  list(): EndpointSliceInput[];
  put(slice: EndpointSliceInput & { readonly metadata: { readonly generateName?: string } }): EndpointSliceInput;
  remove(name: string): EndpointSliceInput;
} {
  const slices = new Map<string, EndpointSliceInput>();
  let count = 1000;
  return {
    list: () => [...slices.values()],
    put(slice) {
      count += 1;
      const name = slice.metadata.name ?? `${slice.metadata.generateName}${count}`;
      const previous = slices.get(name)?.metadata;
      const metadata = {
        ...slice.metadata,
        name,
        uid: previous?.uid ?? `slice-${name}`,
        generation: (previous?.generation ?? 0) + 1,
        resourceVersion: String(count),
      };
      const storedSlice = { ...slice, metadata };
      slices.set(name, storedSlice);
      return storedSlice;
    },
    remove(name) {
      const slice = slices.get(name);
      if (!slice) throw new Error(`there is no slice ${name} to delete`);
      slices.delete(name);
      return slice;
    },
  };
}

export function groupWritten(writes: readonly { readonly verb: string; readonly slice: EndpointSliceInput }[]): WrittenGroup[] {
  const groups = new Map<string, { group: WrittenGroup; sizes: [string, number][]; endpoints: EndpointInput[] }>();
  for (const { verb, slice } of writes) {
    const ports = [...(slice.ports ?? [])];
    const key = textOf([slice.addressType, ports.map(textOf).sort()]);
    const { labels, annotations } = slice.metadata ?? {};
    const [sizes, endpoints]: [[string, number][], EndpointInput[]] = [[], []];
    const group = {
      addressType: slice.addressType ?? '',
      ports,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      sizes,
      endpoints,
    };
    const existing = groups.get(key) ?? { group, sizes, endpoints };
    groups.set(key, existing);
    existing.sizes.push([verb, slice.endpoints?.length ?? 0]);
    existing.endpoints.push(...(slice.endpoints ?? []));
  }
  return [...groups.values()].map(({ group }) => group);
}

/** The compared parts of a sync. */
export interface Precision {
  /** Hints are counted, regardless of their endpoints. */
  readonly countsHints: boolean;
  /** The number of endpoints per slice is compared. */
  readonly comparesSizes: boolean;
}

/** Converts a sync to a form that is equal for two syncs that differ only in order. */
export const toCanonical = ({ slices }: SliceSync, precision: Precision): unknown =>
  slices && { deleted: slices.deleted, written: slices.written.map((group) => textOf(toCanonicalGroup(group, precision))).sort() };

function toCanonicalGroup({ hintCounts, endpoints, ports, sizes, ...group }: WrittenGroup, precision: Precision): unknown {
  const usesCounts = precision.countsHints || !precision.comparesSizes;
  return {
    ...group,
    ports: ports.map(textOf).sort(),
    verbs: sizes.map(([verb, size]) => (precision.comparesSizes ? `${verb} ${size}` : verb)).sort(),
    endpoints: endpoints.map(({ hints, ...endpoint }) => textOf(usesCounts ? endpoint : { ...endpoint, ...(hints && { hints }) })).sort(),
    ...(usesCounts && { hintCounts: hintCounts ?? countHints(endpoints) }),
  };
}

export function countHints(endpoints: readonly EndpointInput[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { hints } of endpoints) {
    for (const { name } of [...(hints?.forZones ?? []), ...(hints?.forNodes ?? [])]) counts[name ?? ''] = (counts[name ?? ''] ?? 0) + 1;
  }
  return counts;
}

/**
 * JSON with the fields of objects in the order of their names.
 * @throws Error for a field that is present but undefined, which JSON would hide
 */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (field, part) => {
    if (part === undefined) throw new Error(`the field ${field} is present but undefined`);
    return typeof part === 'object' && part !== null && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort()) : part;
  });
