import { createReconciler, type Reconciler, type SlicePlan } from '../../src/index.ts';
import { type EndpointsState, observeEndpoints, type Plan, planEndpoints } from '../../src/spec/plan.ts';
import { type SliceSettings, settingsFor } from '../../src/spec/settings.ts';
import { areHintsOverloaded } from '../../src/spec/slices/hints/hints.ts';
import { zoneSharesOf } from '../../src/spec/slices/hints/zones.ts';
import { referenceTo } from '../../src/spec/slices/plan.ts';
import { planSlices, type SlicesState } from '../../src/spec/slices/slices.ts';
import type { EndpointSlice, EndpointSliceInput, Endpoints, EndpointsInput, Node, Pod, Service } from '../../src/types/index.ts';
import { freezeDeeply } from '../property/check.ts';
import { withPodFeeds } from '../property/on-feed.ts';
import { applyChange, createCluster, foreignSlices, type TestCluster } from '../property/slices-cluster.ts';
import { createSliceStore, type SliceStore } from '../property/slices-store.ts';

export const keys = ['shop/web', 'shop/api'] as const;
export type Key = (typeof keys)[number];

export interface Options {
  readonly version: string;
  readonly maxEndpointsPerSlice: number;
  readonly minIndexedPods: number;
}

/** The reconcilers under test. All of them process the same history. */
export interface Subject {
  readonly reconcilers: readonly { readonly name: string; readonly reconciler: Reconciler }[];
  /** Sets whether the reconciler that alternates between lists and feeds gets feeds. */
  useFeeds(value: boolean): void;
}

export function createSubject(options: Options): Subject {
  let usesFeeds = true;
  return {
    reconcilers: [
      { name: 'on lists', reconciler: createReconciler(options) },
      { name: 'on feeds', reconciler: withPodFeeds(createReconciler(options)) },
      { name: 'on lists and feeds', reconciler: withPodFeeds(createReconciler(options), () => usesFeeds) },
    ],
    useFeeds(value) {
      usesFeeds = value;
    },
  };
}

/** The state that the specification needs for one Service between syncs, as plain data, and its stored Endpoints. */
interface ServiceModel {
  event: ServiceEvent;
  endpoints: EndpointsState;
  slices: SlicesState;
  /** The generations of written slices by UID; `deletedGeneration` for a slice that was deleted. */
  written: Map<string, number>;
  storedEndpoints: EndpointsInput | undefined;
  /** The Endpoints before the last write, as a lagging cache shows them. */
  staleEndpoints: EndpointsInput | undefined;
}

/**
 * `delete` removes the Service, `unmanage` its selector. `tolerate` adds the annotation that publishes unready pods, `age` a later
 * creation time. `restore` undoes all of these.
 */
export type ServiceEvent = 'delete' | 'unmanage' | 'restore' | 'tolerate' | 'age';

/**
 * A write by another client: removes an endpoint from a slice, copies the endpoints of another slice, adds a label, deletes a slice,
 * or empties Endpoints.
 */
export type ForeignWrite = 'drop' | 'copy' | 'relabel' | 'delete' | 'endpoints';

interface Request {
  readonly key: Key;
  readonly service: Service | undefined;
  readonly pods: readonly Pod[];
}

export type EndpointsRequest = Request & { readonly current: EndpointsInput | undefined };
export type SlicesRequest = Request & { readonly nodes: readonly Node[] | undefined; readonly current: readonly EndpointSliceInput[] };

const deletedGeneration = -1;

/** A cluster, and the specification applied to its last state. A failed plan is represented by its error message. */
export class Model {
  readonly cluster: TestCluster = createCluster();
  readonly #settings: SliceSettings;
  readonly #store: SliceStore = createSliceStore();
  readonly #services: ReadonlyMap<Key, ServiceModel>;
  readonly #deletions: EndpointSliceInput[] = [];
  /** The slices before the last writes, as a lagging cache shows them. */
  #previousSlices: EndpointSliceInput[];
  #resourceVersion = 100;

  constructor({ version, maxEndpointsPerSlice }: Options) {
    this.#settings = { ...settingsFor({ version }), maxEndpointsPerSlice };
    for (const slice of foreignSlices) this.#store.add(slice);
    this.#previousSlices = this.#store.list();
    for (let i = 0; i < 8; i++) applyChange(this.cluster, { kind: 'add', index: i, pick: 17 * i + 1 });
    this.#services = new Map(keys.map((key) => [key, createServiceModel()]));
  }

  /** Whether the release writes slices of discovery.k8s.io/v1. */
  get hasSlices(): boolean {
    return this.#settings.profile.slicesAreV1;
  }

  change(key: Key, event: ServiceEvent): void {
    this.#modelOf(key).event = event;
  }

  forget(key: Key): void {
    Object.assign(this.#modelOf(key), { endpoints: {}, slices: {}, written: new Map() });
  }

  endpointsRequest(key: Key, isCacheStale: boolean): EndpointsRequest {
    const { storedEndpoints, staleEndpoints } = this.#modelOf(key);
    return { ...this.#request(key), current: isCacheStale ? staleEndpoints : storedEndpoints };
  }

  planEndpoints({ key, ...input }: EndpointsRequest): Plan | string {
    const model = this.#modelOf(key);
    return outcomeOf(() => {
      const { plan, state } = planEndpoints(input, model.endpoints, this.#settings);
      model.endpoints = state;
      return plan;
    });
  }

  /** Applies a plan, unless it is based on an old version. */
  writeEndpoints({ key, current }: EndpointsRequest, { action, object }: Plan): EndpointsInput | undefined {
    const model = this.#modelOf(key);
    if (current !== model.storedEndpoints || action === 'none' || action === 'retry') return undefined;
    model.staleEndpoints = model.storedEndpoints;
    model.storedEndpoints = object && this.#createVersion(object);
    return model.storedEndpoints;
  }

  observeEndpoints(key: Key, written: EndpointsInput): void {
    const model = this.#modelOf(key);
    model.endpoints = observeEndpoints(model.endpoints, written, this.#settings.profile);
  }

  /** @param missingIndex index of a slice that the cache does not show yet */
  slicesRequest(key: Key, isCacheStale: boolean, missingIndex: number | undefined): SlicesRequest {
    const slices = isCacheStale ? this.#previousSlices : this.#store.list();
    const current = missingIndex === undefined ? slices : slices.filter((_, i) => i !== missingIndex % slices.length);
    return { ...this.#request(key), nodes: this.cluster.nodes, current };
  }

  planSlices({ key, ...input }: SlicesRequest): SlicePlan | string {
    const model = this.#modelOf(key);
    return outcomeOf(() => {
      const { plan, state } = planSlices(input, { ...model.slices, written: model.written }, this.#settings);
      model.slices = state;
      if (!state.written) model.written = new Map();
      return plan;
    });
  }

  /** Applies the parts of a plan that an API server accepts. */
  writeSlices({ create, update, delete: references }: SlicePlan): { written: EndpointSliceInput[]; deleted: EndpointSliceInput[] } {
    this.#previousSlices = this.#store.list();
    const singleWritePlans = [
      ...references.map((each) => ({ ...emptyPlan, delete: [each] })),
      ...[...create, ...update].map((each: EndpointSlice) => ({
        ...emptyPlan,
        [each.metadata.name === undefined ? 'create' : 'update']: [each],
      })),
    ];
    const answers = singleWritePlans.map((plan) => outcomeOf(() => this.#store.apply(plan))).filter((answer) => typeof answer !== 'string');
    const deleted = answers.flatMap((answer) => answer.deleted);
    this.#deletions.push(...deleted);
    return { written: answers.flatMap((answer) => answer.written), deleted };
  }

  observeSlices(written: readonly EndpointSliceInput[], deleted: readonly EndpointSliceInput[]): void {
    for (const slice of written) this.#setGeneration(slice, slice.metadata?.generation ?? 0);
    for (const slice of deleted) this.#setGeneration(slice, deletedGeneration);
  }

  /** Sets a tracked generation. Slices without a UID are not tracked; some slices of other controllers have none here. */
  #setGeneration(slice: EndpointSliceInput, generation: number): void {
    if (slice.metadata?.uid) this.#ownerOf(slice)?.written.set(slice.metadata.uid, generation);
  }

  /** The slice whose deletion the cache reports next. */
  takeDeletion(): EndpointSliceInput | undefined {
    return this.#deletions.shift();
  }

  handleDeletion(slice: EndpointSliceInput): boolean {
    const written = this.#ownerOf(slice)?.written;
    const generation = written?.get(slice.metadata?.uid ?? '');
    written?.delete(slice.metadata?.uid ?? '');
    return generation === undefined || generation === deletedGeneration;
  }

  writeForeign(kind: ForeignWrite, key: Key, pick: number): void {
    if (kind === 'endpoints') {
      const model = this.#modelOf(key);
      model.staleEndpoints = model.storedEndpoints;
      model.storedEndpoints &&= this.#createVersion({ ...model.storedEndpoints, subsets: [] });
      return;
    }
    const ownSlices = this.#store.list().filter((slice) => this.#ownerOf(slice)?.written.size);
    const slice = ownSlices[pick % ownSlices.length];
    if (!slice) return;
    this.#previousSlices = this.#store.list();
    if (kind === 'delete')
      this.#deletions.push(...this.#store.apply({ ...emptyPlan, delete: [referenceTo(slice, this.#settings.profile)] }).deleted);
    else this.#store.add(applyForeignChange(slice, kind, ownSlices[(pick >> 2) % ownSlices.length]));
  }

  overloadedServices(): Key[] {
    const { shares } = zoneSharesOf(this.cluster.nodes ?? []);
    return keys.filter((key) => areHintsOverloaded(this.#modelOf(key).slices.hints, shares));
  }

  #modelOf(key: Key): ServiceModel {
    return this.#services.get(key) as ServiceModel;
  }

  #ownerOf({ metadata }: EndpointSliceInput): ServiceModel | undefined {
    return this.#services.get(`${metadata?.namespace}/${metadata?.labels?.['kubernetes.io/service-name']}` as Key);
  }

  #request(key: Key): Request {
    const { service, pods } = this.cluster;
    return { key, service: applyServiceEvent(this.#modelOf(key).event, key, service), pods };
  }

  #createVersion(object: Endpoints | EndpointsInput): EndpointsInput {
    this.#resourceVersion++;
    return freezeDeeply({
      ...structuredClone(object),
      metadata: { ...structuredClone(object.metadata), resourceVersion: String(this.#resourceVersion) },
    });
  }
}

const createServiceModel = (): ServiceModel => ({
  event: 'restore',
  endpoints: {},
  slices: {},
  written: new Map(),
  storedEndpoints: undefined,
  staleEndpoints: undefined,
});

const emptyPlan: SlicePlan = { create: [], update: [], delete: [], events: [], retry: false, reasons: [] };

function applyForeignChange(slice: EndpointSliceInput, kind: ForeignWrite, other: EndpointSliceInput | undefined): EndpointSliceInput {
  const { metadata } = slice;
  if (kind === 'relabel') return { ...slice, metadata: { ...metadata, labels: { ...metadata?.labels, foreign: 'x' } } };
  const endpoints = slice.endpoints ?? [];
  const changed = kind === 'copy' ? [...endpoints, ...(other?.endpoints ?? [])] : endpoints.slice(1);
  return { ...slice, metadata: { ...metadata, generation: (metadata?.generation ?? 0) + 1 }, endpoints: changed };
}

function applyServiceEvent(event: ServiceEvent, key: Key, { metadata, spec }: Service): Service | undefined {
  const name = key.slice('shop/'.length);
  const renamed = { metadata: { ...metadata, name, uid: `${name}-${metadata?.uid}` }, spec };
  if (event === 'delete') return undefined;
  if (event === 'unmanage') return { ...renamed, spec: { ...spec, selector: null } };
  if (event === 'age') return { ...renamed, metadata: { ...renamed.metadata, creationTimestamp: '2026-01-01T12:00:30Z' } };
  if (event === 'restore') return renamed;
  const annotations = { ...metadata?.annotations, 'service.alpha.kubernetes.io/tolerate-unready-endpoints': 'true' };
  return { ...renamed, metadata: { ...renamed.metadata, annotations } };
}

/** Returns the result of `run`, or the message of the error that it throws. */
export function outcomeOf<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    return (error as Error).message;
  }
}
