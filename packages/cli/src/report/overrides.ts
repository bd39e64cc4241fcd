import type { Decision, OverrideResult, Overrides } from '@kube-endpoints/overrides';
import type { JsonPatchOperation } from '@kube-endpoints/overrides/internal';
import { computeEndpoints, createReconciler } from 'kube-endpoints';
import { compareByName, counted, nameOf, namespaceOf, objectKey, serviceNameLabel } from 'kube-endpoints/internal';
import type { EndpointSliceInput, EndpointsInput, Service } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import type { Inventory } from '../input/collection.ts';
import { createPodDirectory, sourceOf } from '../live/webhook/pods.ts';
import { differences, type Edit, formatEdit } from '../print/lines.ts';
import { type Detail, outline, outlineSlice } from '../print/outline.ts';
import type { Report } from '../print/report.ts';
import type { Colour, Style } from '../print/style.ts';
import { countedStates, printable } from '../print/text.ts';

/** The result of rules for one write. */
export interface Overridden {
  readonly kind: Write['kind'];
  readonly namespace: string;
  /** Empty for a slice that has only a generateName. */
  readonly name: string;
  readonly operation: Write['operation'];
  readonly state: 'changed' | 'refused' | 'unchanged';
  readonly refused?: Decision;
  readonly decisions: readonly Decision[];
  readonly due?: string;
  readonly patch: readonly JsonPatchOperation[];
  /** The object as it would be stored. */
  readonly object: OverrideResult['object'];
}

interface Outcome {
  readonly write: Write;
  readonly overridden: Overridden;
}

/** Applies rules to the writes, in order. @param given includes the stored slices */
export function applyAll(overrides: Overrides, writes: readonly Write[], given: Inventory, now: Date): readonly Outcome[] {
  const services = new Map(given.services.map((service) => [objectKey(service), service]));
  const slices = createSlicesInTurn(writes, given.slices);
  const directory = given.pods.length > 0 ? createPodDirectory(sourceOf(given.pods)) : undefined;
  return writes.map((write) => {
    const { kind, operation, object, oldObject } = write;
    const service = write.service === undefined ? undefined : services.get(write.service);
    const {
      refused,
      decisions,
      patch,
      due,
      changed,
      object: made,
    } = overrides.apply({
      operation,
      object,
      oldObject,
      service,
      pods: directory?.podsOf(object, service),
      ...(kind === 'EndpointSlice' && { otherSlices: slices.besides(write) }),
      now,
    });
    slices.written(write, refused ? undefined : made);
    const state = refused ? 'refused' : changed ? 'changed' : 'unchanged';
    const overridden = { kind, namespace: namespaceOf(object), name: nameOf(object), operation, state, decisions, patch } as const;
    return { write, overridden: { ...overridden, ...(refused && { refused }), ...(due !== undefined && { due }), object: made } };
  });
}

/**
 * Tracks slices as if the writes were executed one after the other. A slice that is neither stored nor written yet counts in its requested
 * form.
 */
function createSlicesInTurn(writes: readonly Write[], stored: readonly EndpointSliceInput[]): SlicesInTurn {
  const services = new Map<string | undefined, Map<unknown, EndpointSliceInput>>();
  const slicesOf = (service: string | undefined): Map<unknown, EndpointSliceInput> => {
    const slices = services.get(service) ?? new Map<unknown, EndpointSliceInput>();
    services.set(service, slices);
    return slices;
  };
  // A slice without a name is identified by its write.
  const keyFor = (write: Write): unknown => (nameOf(write.object) === '' ? write : objectKey(write.object));
  for (const slice of stored) slicesOf(ownerOf(slice)).set(objectKey(slice), slice);
  for (const write of writes) {
    const slices = slicesOf(write.service);
    if (write.kind === 'EndpointSlice' && !slices.has(keyFor(write))) slices.set(keyFor(write), write.object as EndpointSliceInput);
  }
  return {
    besides: (write) => [...slicesOf(write.service)].filter(([key]) => key !== keyFor(write)).map(([, slice]) => slice),
    written(write, made) {
      if (write.kind !== 'EndpointSlice') return;
      const slices = slicesOf(write.service);
      if (made) slices.set(keyFor(write), made as EndpointSliceInput);
      else if (slices.get(keyFor(write)) === write.object) slices.delete(keyFor(write));
    },
  };
}

interface SlicesInTurn {
  /** The other slices of the slice's Service. */
  besides(write: Write): readonly EndpointSliceInput[];
  /** @param made undefined if the write is refused */
  written(write: Write, made: OverrideResult['object'] | undefined): void;
}

export function reportOverrides(all: readonly Outcome[], overrides: Pick<Overrides, 'rules'>): Report {
  const overridden = all.map((each) => each.overridden);
  return {
    found: overridden.some(({ state }) => state !== 'unchanged'),
    text: (style) => [
      ...all
        .filter(({ overridden: { state, decisions } }) => style.wide || state !== 'unchanged' || decisions.length > 0)
        .flatMap((each) => section(each, style)),
      `${counted(all.length, 'object')}, ${counted(overrides.rules.length, 'rule')}${overridden.length > 0 ? `: ${countedStates(overridden, words)}` : ''}.`,
    ],
    data: () => ({ items: overridden }),
  };
}

const words: Readonly<Record<Overridden['state'], { readonly summary: (count: number) => string; readonly colour: Colour }>> = {
  changed: { summary: (count) => `${count} changed`, colour: 'yellow' },
  refused: { summary: (count) => `${count} refused`, colour: 'red' },
  unchanged: { summary: (count) => `${count} unchanged`, colour: 'green' },
};

function section({ write, overridden }: Outcome, style: Style): string[] {
  const { kind, namespace, operation, state, decisions, due } = overridden;
  // A slice to be created has only a generateName.
  const name = overridden.name || `${(write.object.metadata as { readonly generateName?: string }).generateName ?? ''}*`;
  const title = `${kind.toUpperCase()} ${printable(`${namespace}/${name}`)}  ${operation}`;
  return [
    `${title}   ${style.paint(state, words[state].colour)}`,
    ...decisions.map((decision) => `  ${decisionLine(decision)}`),
    ...(due === undefined ? [] : [`  valid until ${due}, when it must be written again`]),
    ...editsOf(write, overridden).map((edit) => formatEdit(edit, style)),
    '',
  ];
}

const decisionLine = ({ rule, code, message, audit }: Decision): string =>
  `${rule}: ${code}${audit ? ' (audit)' : ''}: ${printable(message)}`;

function editsOf({ kind, object }: Write, overridden: Overridden): Edit[] {
  if (overridden.state !== 'changed') return [];
  return differences((detail) => ({ before: linesOf(kind, object, detail), after: linesOf(kind, overridden.object, detail) }));
}

const linesOf = (kind: Write['kind'], object: OverrideResult['object'], detail: Detail): string[] =>
  kind === 'Endpoints' ? outline(object as EndpointsInput, detail, []) : outlineSlice(object as EndpointSliceInput, detail, []);

/** A requested write, and the stored object. */
export interface Write {
  readonly kind: 'Endpoints' | 'EndpointSlice';
  readonly operation: 'CREATE' | 'UPDATE';
  readonly object: EndpointsInput | EndpointSliceInput;
  readonly oldObject?: EndpointsInput | EndpointSliceInput;
  /** "namespace/name" of the Service it belongs to; undefined if it names none. */
  readonly service: string | undefined;
}

type Objects = Pick<Inventory, 'endpoints' | 'slices'>;

/** Writes of the objects as given, Endpoints first, each sorted by namespace and name. */
export function writesOf(given: Objects, old: Objects | undefined): readonly Write[] {
  const write = writer(old);
  return [
    ...given.endpoints.toSorted(compareByName).map((object) => write('Endpoints', object)),
    ...given.slices.toSorted(compareByName).map((object) => write('EndpointSlice', object)),
  ];
}

/**
 * The writes of a release's controllers for the Services, against the stored state: that of --old, or else the Endpoints and slices given.
 */
export function computedWrites(given: Inventory, old: Objects | undefined, version: string): readonly Write[] {
  const stored = old ?? given;
  const write = writer(stored);
  const services = given.services.toSorted(compareByName);
  const endpoints = services.flatMap((service) => {
    const object = computeEndpoints(service, given.pods, { version });
    return object ? [write('Endpoints', object)] : [];
  });
  if (!profileFor(version).slicesAreV1) return endpoints;
  return [
    ...endpoints,
    ...services.flatMap((service) => slicesFor(service, given, stored, version).map((slice) => write('EndpointSlice', slice))),
  ];
}

/** The slices to update and create; unchanged slices are not written. */
function slicesFor(service: Service, { pods, nodes }: Inventory, { slices }: Objects, version: string): readonly EndpointSliceInput[] {
  const key = objectKey(service);
  const current = slices.filter((slice) => ownerOf(slice) === key);
  const { create, update } = createReconciler({ version }).reconcileSlices({ key, service, pods, current, nodes });
  return [...update, ...create];
}

function writer(old: Objects | undefined): (kind: Write['kind'], object: EndpointsInput | EndpointSliceInput) => Write {
  const stored = {
    Endpoints: new Map((old?.endpoints ?? []).map((object) => [objectKey(object), object])),
    EndpointSlice: new Map((old?.slices ?? []).map((object) => [objectKey(object), object])),
  };
  return (kind, object) => {
    const oldObject = nameOf(object) === '' ? undefined : stored[kind].get(objectKey(object));
    const service = kind === 'Endpoints' ? objectKey(object) : ownerOf(object as EndpointSliceInput);
    const named: typeof object = Object.assign({ kind }, object);
    return oldObject
      ? { kind, operation: 'UPDATE', object: named, oldObject, service }
      : { kind, operation: 'CREATE', object: named, service };
  };
}

/** "namespace/name" of the Service that a slice is labelled with; undefined without the label. */
export function ownerOf(slice: EndpointSliceInput): string | undefined {
  const name = slice.metadata?.labels?.[serviceNameLabel];
  return name ? `${namespaceOf(slice)}/${name}` : undefined;
}
