import type { Decision, OverrideResult, Overrides } from '@kube-endpoints/overrides';
import type { JsonPatchOperation } from '@kube-endpoints/overrides/internal';
import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import type { Inventory } from '../input/collection.ts';
import { sourceOf } from '../live/object-index.ts';
import { createPodDirectory } from '../live/pods-of.ts';
import { differences, type Edit, formatEdit } from '../print/lines.ts';
import { type Detail, outline } from '../print/outline.ts';
import { outlineSlice } from '../print/slice-outline.ts';
import type { Colour, Style } from '../print/style.ts';
import { counted, countedStates, printable } from '../print/text.ts';
import type { Report } from '../report.ts';
import { keyOf, nameOf, namespaceOf } from '../scope.ts';
import { ownerOf, type Write } from './override-writes.ts';

/** What rules make of one write. */
export interface Overridden {
  readonly kind: Write['kind'];
  readonly namespace: string;
  /** Empty for a slice that is still to be named. */
  readonly name: string;
  readonly operation: Write['operation'];
  readonly state: 'changed' | 'refused' | 'unchanged';
  readonly refused?: Decision;
  readonly decisions: readonly Decision[];
  readonly due?: string;
  readonly patch: readonly JsonPatchOperation[];
  /** As it would be stored. */
  readonly object: OverrideResult['object'];
}

interface Outcome {
  readonly write: Write;
  readonly told: Overridden;
}

/** @param given with the slices that are stored */
export function applyAll(overrides: Overrides, writes: readonly Write[], given: Inventory, now: Date): readonly Outcome[] {
  const services = new Map(given.services.map((service) => [keyOf(service), service]));
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
      ...(kind === 'EndpointSlice' && { siblings: slices.besides(write) }),
      now,
    });
    slices.written(write, refused ? undefined : made);
    const state = refused ? 'refused' : changed ? 'changed' : 'unchanged';
    const told = { kind, namespace: namespaceOf(object), name: nameOf(object), operation, state, decisions, patch } as const;
    return { write, told: { ...told, ...(refused && { refused }), ...(due !== undefined && { due }), object: made } };
  });
}

/** Slices as they are when one write comes after the other. One that is neither stored nor written yet counts as it is to be written. */
function createSlicesInTurn(writes: readonly Write[], stored: readonly EndpointSliceInput[]): SlicesInTurn {
  const services = new Map<string | undefined, Map<unknown, EndpointSliceInput>>();
  const slicesOf = (service: string | undefined): Map<unknown, EndpointSliceInput> => {
    const slices = services.get(service) ?? new Map<unknown, EndpointSliceInput>();
    services.set(service, slices);
    return slices;
  };
  // one that is still to be named is known by its write
  const keyFor = (write: Write): unknown => (nameOf(write.object) === '' ? write : keyOf(write.object));
  for (const slice of stored) slicesOf(ownerOf(slice)).set(keyOf(slice), slice);
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
  /** The other slices of the Service that a slice is of. */
  besides(write: Write): readonly EndpointSliceInput[];
  /** @param made undefined where the write is refused */
  written(write: Write, made: OverrideResult['object'] | undefined): void;
}

export function reportOverrides(all: readonly Outcome[], overrides: Pick<Overrides, 'rules'>): Report {
  const told = all.map((each) => each.told);
  return {
    found: told.some(({ state }) => state !== 'unchanged'),
    text: (style) => [
      ...all
        .filter(({ told: { state, decisions } }) => style.wide || state !== 'unchanged' || decisions.length > 0)
        .flatMap((each) => section(each, style)),
      `${counted(all.length, 'object')}, ${counted(overrides.rules.length, 'rule')}${told.length > 0 ? `: ${countedStates(told, words)}` : ''}.`,
    ],
    data: () => ({ items: told }),
  };
}

const words: Readonly<Record<Overridden['state'], { readonly summary: (count: number) => string; readonly colour: Colour }>> = {
  changed: { summary: (count) => `${count} changed`, colour: 'yellow' },
  refused: { summary: (count) => `${count} refused`, colour: 'red' },
  unchanged: { summary: (count) => `${count} unchanged`, colour: 'green' },
};

function section({ write, told }: Outcome, style: Style): string[] {
  const { kind, namespace, operation, state, decisions, due } = told;
  // A slice that is to be created has no more than the beginning of its name.
  const name = told.name || `${(write.object.metadata as { readonly generateName?: string }).generateName ?? ''}*`;
  const title = `${kind.toUpperCase()} ${printable(`${namespace}/${name}`)}  ${operation}`;
  return [
    `${title}   ${style.paint(state, words[state].colour)}`,
    ...decisions.map((decision) => `  ${decisionLine(decision)}`),
    ...(due === undefined ? [] : [`  until ${due}, when it is to be written again`]),
    ...editsOf(write, told).map((edit) => formatEdit(edit, style)),
    '',
  ];
}

const decisionLine = ({ rule, code, message, audit }: Decision): string =>
  `${rule}: ${code}${audit ? ' (audit)' : ''}: ${printable(message)}`;

function editsOf({ kind, object }: Write, told: Overridden): Edit[] {
  if (told.state !== 'changed') return [];
  return differences((detail) => ({ before: linesOf(kind, object, detail), after: linesOf(kind, told.object, detail) }));
}

const linesOf = (kind: Write['kind'], object: OverrideResult['object'], detail: Detail): string[] =>
  kind === 'Endpoints' ? outline(object as EndpointsInput, detail, []) : outlineSlice(object as EndpointSliceInput, detail, []);
