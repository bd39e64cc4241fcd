import { createReconciler, type Reconciler, type SlicePlan } from '../../src/index.ts';
import { type EndpointsState, observeEndpoints, type Plan, planEndpoints } from '../../src/spec/plan.ts';
import { type SliceSettings, settingsFor } from '../../src/spec/settings.ts';
import { areHintsOverloaded } from '../../src/spec/slices/hints/hints.ts';
import { zoneSharesOf } from '../../src/spec/slices/hints/zones.ts';
import { referenceTo } from '../../src/spec/slices/plan.ts';
import { planSlices, type SlicesState } from '../../src/spec/slices/slices.ts';
import type { EndpointSlice, EndpointSliceInput, Endpoints, EndpointsInput, Node, Pod, Service } from '../../src/types/index.ts';
import { freezeDeeply } from '../property/check.ts';
import { onFeed } from '../property/on-feed.ts';
import { createSliceStore, type SliceStore } from '../property/slices-store.ts';
import { change, createWorld, foreignSlices, type World } from '../property/slices-world.ts';

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
  /** Whether the reconciler that alternates between lists and feeds gets feeds from now on. */
  turn(feeds: boolean): void;
}

export function createSubject(options: Options): Subject {
  let isOn = true;
  return {
    reconcilers: [
      { name: 'on lists', reconciler: createReconciler(options) },
      { name: 'on feeds', reconciler: onFeed(createReconciler(options)) },
      { name: 'on lists and feeds', reconciler: onFeed(createReconciler(options), () => isOn) },
    ],
    turn(feeds) {
      isOn = feeds;
    },
  };
}

/** The state that the specification needs for one Service between syncs, as plain data, and its stored Endpoints. */
interface ServiceModel {
  event: ServiceEvent;
  endpoints: EndpointsState;
  slices: SlicesState;
  written: Map<string, number>;
  stored: EndpointsInput | undefined;
  cached: EndpointsInput | undefined;
}

export type ServiceEvent = 'delete' | 'unmanage' | 'restore' | 'tolerate' | 'age';

/** A slice loses an endpoint, gets the endpoints of another slice, or gets a label. Endpoints lose their subsets. */
export type ForeignWrite = 'drop' | 'copy' | 'relabel' | 'delete' | 'endpoints';

interface Request {
  readonly key: Key;
  readonly service: Service | undefined;
  readonly pods: readonly Pod[];
}

export type EndpointsRequest = Request & { readonly current: EndpointsInput | undefined };
export type SlicesRequest = Request & { readonly nodes: readonly Node[] | undefined; readonly current: readonly EndpointSliceInput[] };

const deleted = -1;

/** A cluster, and the specification applied to its last state. A failed plan is represented by its error message. */
export class Model {
  readonly world: World = createWorld();
  readonly #settings: SliceSettings;
  readonly #store: SliceStore = createSliceStore();
  readonly #services: ReadonlyMap<Key, ServiceModel>;
  readonly #deletions: EndpointSliceInput[] = [];
  /** The slices before the last writes, as a lagging cache shows them. */
  #before: EndpointSliceInput[];
  #resourceVersion = 100;

  constructor({ version, maxEndpointsPerSlice }: Options) {
    this.#settings = { ...settingsFor({ version }), maxEndpointsPerSlice };
    for (const slice of foreignSlices) this.#store.add(slice);
    this.#before = this.#store.list();
    for (let i = 0; i < 8; i++) change(this.world, { kind: 'add', at: i, pick: 17 * i + 1 });
    this.#services = new Map(keys.map((key) => [key, createServiceModel()]));
  }

  /** Whether the release writes slices of discovery.k8s.io/v1. */
  get hasSlices(): boolean {
    return this.#settings.profile.slicesAreV1;
  }

  change(key: Key, event: ServiceEvent): void {
    this.#of(key).event = event;
  }

  forget(key: Key): void {
    Object.assign(this.#of(key), { endpoints: {}, slices: {}, written: new Map() });
  }

  endpointsRequest(key: Key, lags: boolean): EndpointsRequest {
    const { stored, cached } = this.#of(key);
    return { ...this.#request(key), current: lags ? cached : stored };
  }

  planEndpoints({ key, ...input }: EndpointsRequest): Plan | string {
    const model = this.#of(key);
    return outcomeOf(() => {
      const { plan, state } = planEndpoints(input, model.endpoints, this.#settings);
      model.endpoints = state;
      return plan;
    });
  }

  /** Applies a plan, unless it is based on an old version. */
  writeEndpoints({ key, current }: EndpointsRequest, { action, object }: Plan): EndpointsInput | undefined {
    const model = this.#of(key);
    if (current !== model.stored || action === 'none' || action === 'retry') return undefined;
    model.cached = model.stored;
    model.stored = object && this.#stored(object);
    return model.stored;
  }

  observeEndpoints(key: Key, written: EndpointsInput): void {
    const model = this.#of(key);
    model.endpoints = observeEndpoints(model.endpoints, written, this.#settings.profile);
  }

  /** @param lacking index of a slice that the cache does not show yet */
  slicesRequest(key: Key, lags: boolean, lacking: number | undefined): SlicesRequest {
    const shown = lags ? this.#before : this.#store.list();
    const current = lacking === undefined ? shown : shown.filter((_, i) => i !== lacking % shown.length);
    return { ...this.#request(key), nodes: this.world.nodes, current };
  }

  planSlices({ key, ...input }: SlicesRequest): SlicePlan | string {
    const model = this.#of(key);
    return outcomeOf(() => {
      const { plan, state } = planSlices(input, { ...model.slices, written: model.written }, this.#settings);
      model.slices = state;
      if (!state.written) model.written = new Map();
      return plan;
    });
  }

  /** Applies the parts of a plan that an API server accepts. */
  writeSlices({ create, update, delete: references }: SlicePlan): { written: EndpointSliceInput[]; deleted: EndpointSliceInput[] } {
    this.#before = this.#store.list();
    const parts = [
      ...references.map((each) => ({ ...noPlan, delete: [each] })),
      ...[...create, ...update].map((each: EndpointSlice) => ({
        ...noPlan,
        [each.metadata.name === undefined ? 'create' : 'update']: [each],
      })),
    ];
    const answers = parts.map((part) => outcomeOf(() => this.#store.apply(part))).filter((answer) => typeof answer !== 'string');
    const gone = answers.flatMap((answer) => answer.deleted);
    this.#deletions.push(...gone);
    return { written: answers.flatMap((answer) => answer.written), deleted: gone };
  }

  observeSlices(written: readonly EndpointSliceInput[], gone: readonly EndpointSliceInput[]): void {
    for (const slice of written) this.#ownerOf(slice)?.written.set(slice.metadata?.uid ?? '', slice.metadata?.generation ?? 0);
    for (const slice of gone) this.#ownerOf(slice)?.written.set(slice.metadata?.uid ?? '', deleted);
  }

  /** The slice whose deletion the cache reports next. */
  takeDeletion(): EndpointSliceInput | undefined {
    return this.#deletions.shift();
  }

  handleDeletion(slice: EndpointSliceInput): boolean {
    const written = this.#ownerOf(slice)?.written;
    const generation = written?.get(slice.metadata?.uid ?? '');
    written?.delete(slice.metadata?.uid ?? '');
    return generation === undefined || generation === deleted;
  }

  writeForeign(kind: ForeignWrite, key: Key, pick: number): void {
    if (kind === 'endpoints') {
      const model = this.#of(key);
      model.cached = model.stored;
      model.stored &&= this.#stored({ ...model.stored, subsets: [] });
      return;
    }
    const own = this.#store.list().filter((slice) => this.#ownerOf(slice)?.written.size);
    const slice = own[pick % own.length];
    if (!slice) return;
    this.#before = this.#store.list();
    if (kind === 'delete') this.#deletions.push(...this.#store.apply({ ...noPlan, delete: [referenceTo(slice)] }).deleted);
    else this.#store.add(changedBySomebody(slice, kind, own[(pick >> 2) % own.length]));
  }

  overloadedServices(): Key[] {
    const { shares } = zoneSharesOf(this.world.nodes ?? []);
    return keys.filter((key) => areHintsOverloaded(this.#of(key).slices.hints, shares));
  }

  #of(key: Key): ServiceModel {
    return this.#services.get(key) as ServiceModel;
  }

  #ownerOf({ metadata }: EndpointSliceInput): ServiceModel | undefined {
    return this.#services.get(`${metadata?.namespace}/${metadata?.labels?.['kubernetes.io/service-name']}` as Key);
  }

  #request(key: Key): Request {
    const { service, pods } = this.world;
    return { key, service: serviceAfter(this.#of(key).event, key, service), pods };
  }

  #stored(object: Endpoints | EndpointsInput): EndpointsInput {
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
  stored: undefined,
  cached: undefined,
});

const noPlan: SlicePlan = { create: [], update: [], delete: [], events: [], retry: false, reasons: [] };

function changedBySomebody(slice: EndpointSliceInput, kind: ForeignWrite, other: EndpointSliceInput | undefined): EndpointSliceInput {
  const { metadata } = slice;
  if (kind === 'relabel') return { ...slice, metadata: { ...metadata, labels: { ...metadata?.labels, foreign: 'x' } } };
  const endpoints = slice.endpoints ?? [];
  const changed = kind === 'copy' ? [...endpoints, ...(other?.endpoints ?? [])] : endpoints.slice(1);
  return { ...slice, metadata: { ...metadata, generation: (metadata?.generation ?? 0) + 1 }, endpoints: changed };
}

function serviceAfter(event: ServiceEvent, key: Key, { metadata, spec }: Service): Service | undefined {
  const name = key.slice('shop/'.length);
  const named = { metadata: { ...metadata, name, uid: `${name}-${metadata?.uid}` }, spec };
  if (event === 'delete') return undefined;
  if (event === 'unmanage') return { ...named, spec: { ...spec, selector: null } };
  if (event === 'age') return { ...named, metadata: { ...named.metadata, creationTimestamp: '2026-01-01T12:00:30Z' } };
  if (event === 'restore') return named;
  const annotations = { ...metadata?.annotations, 'service.alpha.kubernetes.io/tolerate-unready-endpoints': 'true' };
  return { ...named, metadata: { ...named.metadata, annotations } };
}

/** A result, or the message of the thrown error. */
export function outcomeOf<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    return (error as Error).message;
  }
}
