import { createReconciler, type Reconciler } from '../../src/index.ts';
import type { EndpointInput, EndpointSliceInput, Node, Pod, Service } from '../../src/types/index.ts';

/** A case with its nodes; a step replaces what it names. */
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

/** What was written of one address type and one list of ports; slices have random names and their endpoints no order. */
export interface WrittenGroup {
  readonly addressType: string;
  readonly ports: readonly unknown[];
  readonly labels?: object;
  readonly annotations?: object;
  /** Verb and number of endpoints of each slice. */
  readonly sizes: readonly (readonly [string, number])[];
  readonly endpoints: readonly EndpointInput[];
  /** How many hints there are for each zone or node, where it is random which endpoint has which; the endpoints are then without. */
  readonly hintCounts?: Readonly<Record<string, number>>;
}

/** What one sync did; nothing was written where `slices` is absent. */
export interface SliceSync {
  readonly slices?: { readonly written: readonly WrittenGroup[]; readonly deleted: number };
  /** The sync is to be repeated. */
  readonly error?: true;
  /** The endpoints controller panics here, which hides an error of the other. */
  readonly panic?: true;
}

export interface SliceAnswer extends SliceSync {
  readonly id: string;
  /** The controller's own runs differ in more than hints, and nothing is known. */
  readonly varies?: true;
  readonly steps?: readonly SliceSync[];
}

/** What the library does for a case, each sync upon the slices that it wrote itself. */
export function answer(
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
    const { create, update, delete: gone, retry } = reconciler.reconcileSlices({ key, ...state, current: store.list() });
    for (const slice of [...create, ...update]) reconciler.observe(store.put(slice));
    for (const { metadata } of gone) {
      const slice = store.remove(metadata.name);
      reconciler.expectDeletion(slice);
      reconciler.handleDeletion(slice);
    }
    const written = groupWritten([
      ...create.map((slice) => ({ verb: 'create', slice })),
      ...update.map((slice) => ({ verb: 'update', slice })),
    ]);
    const nothing = written.length === 0 && gone.length === 0;
    return { ...(retry && { error: true as const }), ...(!nothing && { slices: { written, deleted: gone.length } }) };
  });
}

/** Slices of one namespace, with what an API server sets. */
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
      const was = slices.get(name)?.metadata;
      const metadata = {
        ...slice.metadata,
        name,
        uid: was?.uid ?? `slice-${name}`,
        generation: (was?.generation ?? 0) + 1,
        resourceVersion: String(count),
      };
      const stored = { ...slice, metadata };
      slices.set(name, stored);
      return stored;
    },
    remove(name) {
      const slice = slices.get(name);
      if (!slice) throw new Error(`there is no slice ${name} to delete`);
      slices.delete(name);
      return slice;
    },
  };
}

function groupWritten(writes: readonly { readonly verb: string; readonly slice: EndpointSliceInput }[]): WrittenGroup[] {
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
    const known = groups.get(key) ?? { group, sizes, endpoints };
    groups.set(key, known);
    known.sizes.push([verb, slice.endpoints?.length ?? 0]);
    known.endpoints.push(...(slice.endpoints ?? []));
  }
  return [...groups.values()].map(({ group }) => group);
}

/** What of a sync is compared. */
export interface Precision {
  /** Hints are counted, whichever endpoint has them. */
  readonly counted: boolean;
  /** How many endpoints stand in which slice counts. */
  readonly sizes: boolean;
}

/** A form in which two syncs are equal that differ in order alone. */
export const canonical = ({ slices }: SliceSync, precision: Precision): unknown =>
  slices && { deleted: slices.deleted, written: slices.written.map((group) => textOf(canonicalGroup(group, precision))).sort() };

function canonicalGroup({ hintCounts, endpoints, ports, sizes, ...group }: WrittenGroup, precision: Precision): unknown {
  const hinted = precision.counted || !precision.sizes;
  return {
    ...group,
    ports: ports.map(textOf).sort(),
    verbs: sizes.map(([verb, size]) => (precision.sizes ? `${verb} ${size}` : verb)).sort(),
    endpoints: endpoints.map(({ hints, ...endpoint }) => textOf(hinted ? endpoint : { ...endpoint, ...(hints && { hints }) })).sort(),
    ...(hinted && { hintCounts: hintCounts ?? countHints(endpoints) }),
  };
}

function countHints(endpoints: readonly EndpointInput[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { hints } of endpoints) {
    for (const { name } of [...(hints?.forZones ?? []), ...(hints?.forNodes ?? [])]) counts[name ?? ''] = (counts[name ?? ''] ?? 0) + 1;
  }
  return counts;
}

/**
 * JSON with the fields of objects in the order of their names.
 * @throws Error for a field that is there but undefined, which JSON would hide
 */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (field, part) => {
    if (part === undefined) throw new Error(`the field ${field} is there but undefined`);
    return typeof part === 'object' && part !== null && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort()) : part;
  });
