import type { Decision, OverrideResult, Overrides } from '@kube-endpoints/overrides';
import type { JsonPatchOperation } from '@kube-endpoints/overrides/internal';
import { computeEndpoints, createReconciler } from 'kube-endpoints';
import { formatCount, serviceNameLabel } from 'kube-endpoints/internal';
import { compareByName, nameOf, namespaceOf, objectKey } from 'kube-endpoints/internal/apimachinery';
import type { EndpointSliceInput, EndpointsInput, Service } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import type { Release } from '../flags/common.ts';
import type { Inventory } from '../input/collection.ts';
import { createFixedSource, createPodDirectory } from '../live/webhook/pods.ts';
import { diffObjects, type Edit, formatEdit } from '../print/lines.ts';
import { type Detail, outlineEndpoints, outlineSlice } from '../print/outline.ts';
import type { Report } from '../print/report.ts';
import type { Colour, Style } from '../print/style.ts';
import { escapeUnprintable, formatStateCounts } from '../print/text.ts';

/** The effect of the rules on one write. */
export interface WriteOutcome {
  readonly kind: Write['kind'];
  readonly namespace: string;
  /** Empty for a slice that has only a generateName. */
  readonly name: string;
  readonly operation: Write['operation'];
  readonly state: 'changed' | 'refused' | 'unchanged';
  readonly refused?: Decision;
  readonly decisions: readonly Decision[];
  /** The RFC 3339 time at which a hold or a time window ends, so that the object must be written again. */
  readonly due?: string;
  readonly patch: readonly JsonPatchOperation[];
  /** The object as it would be stored. */
  readonly object: OverrideResult['object'];
}

interface ReviewedWrite {
  readonly write: Write;
  readonly result: WriteOutcome;
}

/** Applies rules to the writes, in order. @param input includes the stored slices */
export function applyRules(overrides: Overrides, writes: readonly Write[], input: Inventory, now: Date): readonly ReviewedWrite[] {
  const services = new Map(input.services.map((service) => [objectKey(service), service]));
  const sliceTracker = createSliceTracker(writes, input.slices);
  const podDirectory = input.pods.length > 0 ? createPodDirectory(createFixedSource(input.pods)) : undefined;
  return writes.map((write) => {
    const { kind, operation, object, oldObject } = write;
    const service = write.service === undefined ? undefined : services.get(write.service);
    const {
      refused,
      decisions,
      patch,
      due,
      changed,
      object: storedObject,
    } = overrides.apply({
      operation,
      object,
      oldObject,
      service,
      pods: podDirectory?.podsOf(object, service),
      ...(kind === 'EndpointSlice' && { otherSlices: sliceTracker.otherSlices(write) }),
      now,
    });
    sliceTracker.record(write, refused ? undefined : storedObject);
    const state = refused ? 'refused' : changed ? 'changed' : 'unchanged';
    const result = { kind, namespace: namespaceOf(object), name: nameOf(object), operation, state, decisions, patch } as const;
    return { write, result: { ...result, ...(refused && { refused }), ...(due !== undefined && { due }), object: storedObject } };
  });
}

/**
 * Tracks slices as if the writes were executed one after the other. A slice that is neither stored nor written yet counts as its write
 * requests it.
 */
function createSliceTracker(writes: readonly Write[], storedSlices: readonly EndpointSliceInput[]): SliceTracker {
  const slicesByService = new Map<string | undefined, Map<unknown, EndpointSliceInput>>();
  const slicesOf = (service: string | undefined): Map<unknown, EndpointSliceInput> => {
    const slices = slicesByService.get(service) ?? new Map<unknown, EndpointSliceInput>();
    slicesByService.set(service, slices);
    return slices;
  };
  // A slice without a name is identified by its write.
  const keyFor = (write: Write): unknown => (nameOf(write.object) === '' ? write : objectKey(write.object));
  for (const slice of storedSlices) slicesOf(serviceKeyOf(slice)).set(objectKey(slice), slice);
  for (const write of writes) {
    const slices = slicesOf(write.service);
    if (write.kind === 'EndpointSlice' && !slices.has(keyFor(write))) slices.set(keyFor(write), write.object as EndpointSliceInput);
  }
  return {
    otherSlices: (write) => [...slicesOf(write.service)].filter(([key]) => key !== keyFor(write)).map(([, slice]) => slice),
    record(write, object) {
      if (write.kind !== 'EndpointSlice') return;
      const slices = slicesOf(write.service);
      if (object) slices.set(keyFor(write), object as EndpointSliceInput);
      else if (slices.get(keyFor(write)) === write.object) slices.delete(keyFor(write));
    },
  };
}

interface SliceTracker {
  /** The slices of the written object's Service, without the written slice. */
  otherSlices(write: Write): readonly EndpointSliceInput[];
  /** @param object the object as it would be stored; undefined if the write is refused */
  record(write: Write, object: OverrideResult['object'] | undefined): void;
}

export function reportOverrides(writes: readonly ReviewedWrite[], overrides: Pick<Overrides, 'rules'>): Report {
  const results = writes.map(({ result }) => result);
  return {
    hasFindings: results.some(({ state }) => state !== 'unchanged'),
    text: (style) => [
      ...writes
        .filter(({ result: { state, decisions } }) => style.wide || state !== 'unchanged' || decisions.length > 0)
        .flatMap((write) => formatSection(write, style)),
      `${formatCount(writes.length, 'object')}, ${formatCount(overrides.rules.length, 'rule')}${results.length > 0 ? `: ${formatStateCounts(results, stateTexts)}` : ''}.`,
    ],
    data: () => ({ items: results }),
  };
}

const stateTexts: Readonly<Record<WriteOutcome['state'], { readonly summary: (count: number) => string; readonly colour: Colour }>> = {
  changed: { summary: (count) => `${count} changed`, colour: 'yellow' },
  refused: { summary: (count) => `${count} refused`, colour: 'red' },
  unchanged: { summary: (count) => `${count} unchanged`, colour: 'green' },
};

function formatSection({ write, result }: ReviewedWrite, style: Style): string[] {
  const { kind, namespace, operation, state, decisions, due } = result;
  // A slice to be created has only a generateName.
  const name = result.name || `${(write.object.metadata as { readonly generateName?: string }).generateName ?? ''}*`;
  const title = `${kind.toUpperCase()} ${escapeUnprintable(`${namespace}/${name}`)}  ${operation}`;
  return [
    `${title}   ${style.paint(state, stateTexts[state].colour)}`,
    ...decisions.map((decision) => `  ${formatDecision(decision)}`),
    ...(due === undefined ? [] : [`  valid until ${due}, when it must be written again`]),
    ...diffWrite(write, result).map((edit) => formatEdit(edit, style)),
    '',
  ];
}

const formatDecision = ({ rule, code, message, audit }: Decision): string =>
  `${rule}: ${code}${audit ? ' (audit)' : ''}: ${escapeUnprintable(message)}`;

function diffWrite({ kind, object }: Write, result: WriteOutcome): Edit[] {
  if (result.state !== 'changed') return [];
  return diffObjects((detail) => ({ before: outlineObject(kind, object, detail), after: outlineObject(kind, result.object, detail) }));
}

const outlineObject = (kind: Write['kind'], object: OverrideResult['object'], detail: Detail): string[] =>
  kind === 'Endpoints' ? outlineEndpoints(object as EndpointsInput, detail, []) : outlineSlice(object as EndpointSliceInput, detail, []);

/** A requested write, and the stored object. */
export interface Write {
  readonly kind: 'Endpoints' | 'EndpointSlice';
  readonly operation: 'CREATE' | 'UPDATE';
  readonly object: EndpointsInput | EndpointSliceInput;
  readonly oldObject?: EndpointsInput | EndpointSliceInput;
  /** "namespace/name" of the Service that the object belongs to; undefined if a slice has no Service label. */
  readonly service: string | undefined;
}

type EndpointsAndSlices = Pick<Inventory, 'endpoints' | 'slices'>;

/** Creates a write for each object of the input: Endpoints, then slices, both sorted by namespace and name. */
export function toWrites(input: EndpointsAndSlices, old: EndpointsAndSlices | undefined): readonly Write[] {
  const toWrite = createWriteFactory(old);
  return [
    ...input.endpoints.toSorted(compareByName).map((object) => toWrite('Endpoints', object)),
    ...input.slices.toSorted(compareByName).map((object) => toWrite('EndpointSlice', object)),
  ];
}

/**
 * Computes the writes of a release's controllers for the Services. The stored objects are those of --old; without --old, the Endpoints and
 * slices of the input.
 */
export function computeWrites(input: Inventory, old: EndpointsAndSlices | undefined, release: Release): readonly Write[] {
  const storedObjects = old ?? input;
  const toWrite = createWriteFactory(storedObjects);
  const services = input.services.toSorted(compareByName);
  const endpoints = services.flatMap((service) => {
    const object = computeEndpoints(service, input.pods, release);
    return object ? [toWrite('Endpoints', object)] : [];
  });
  if (!profileFor(release.version).slicesAreBeta) return endpoints;
  return [
    ...endpoints,
    ...services.flatMap((service) => planSlices(service, input, storedObjects, release).map((slice) => toWrite('EndpointSlice', slice))),
  ];
}

/** The slices to update and create; unchanged slices are not written. */
function planSlices(
  service: Service,
  { pods, nodes }: Inventory,
  { slices }: EndpointsAndSlices,
  release: Release,
): readonly EndpointSliceInput[] {
  const key = objectKey(service);
  const current = slices.filter((slice) => serviceKeyOf(slice) === key);
  const { create, update } = createReconciler(release).reconcileSlices({ key, service, pods, current, nodes });
  return [...update, ...create];
}

function createWriteFactory(
  old: EndpointsAndSlices | undefined,
): (kind: Write['kind'], object: EndpointsInput | EndpointSliceInput) => Write {
  const storedObjects = {
    Endpoints: new Map((old?.endpoints ?? []).map((object) => [objectKey(object), object])),
    EndpointSlice: new Map((old?.slices ?? []).map((object) => [objectKey(object), object])),
  };
  return (kind, object) => {
    const oldObject = nameOf(object) === '' ? undefined : storedObjects[kind].get(objectKey(object));
    const service = kind === 'Endpoints' ? objectKey(object) : serviceKeyOf(object as EndpointSliceInput);
    const objectWithKind: typeof object = Object.assign({ kind }, object);
    return oldObject
      ? { kind, operation: 'UPDATE', object: objectWithKind, oldObject, service }
      : { kind, operation: 'CREATE', object: objectWithKind, service };
  };
}

/** Returns "namespace/name" of the Service that a slice is labelled with; undefined if the slice lacks the label. */
export function serviceKeyOf(slice: EndpointSliceInput): string | undefined {
  const name = slice.metadata?.labels?.[serviceNameLabel];
  return name ? `${namespaceOf(slice)}/${name}` : undefined;
}
