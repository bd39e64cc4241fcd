import { plainCopy as copyOf } from 'kube-endpoints/internal';
import type { EndpointInput, EndpointSliceInput, EndpointSubset, EndpointsInput } from 'kube-endpoints/types';
import type { JsonPatchOperation, OverrideResult } from '../overrides.ts';
import { type EndpointsView, writeEndpoints } from '../view/endpoints.ts';
import { type SliceView, writeSlice } from '../view/slice.ts';
import type { View } from '../view/view.ts';
import type { Work } from './compiled.ts';
import { heldAnnotation, heldLabel } from './memory.ts';

/** What rules made of an object. */
export interface Outcome {
  /** Empty where they changed nothing. */
  readonly patch: readonly JsonPatchOperation[];
  /** Most hosts want the patch alone. */
  build(): OverrideResult['object'];
}

/** @param held the annotation that remembers what is held, where anything is */
export function outcomeOf(work: Work, held: string | undefined): Outcome {
  const { object } = work.situation;
  const metadata = metadataPatch(object, held);
  const content = work.incoming.kind === 'Endpoints' ? endpointsChange(work) : sliceChange(work);
  if (metadata.length === 0 && !content) return { patch: [], build: () => object };
  const build = (): object => ({
    ...copyOf(without(object, content ? [...Object.keys(content.fields()), 'metadata'] : ['metadata'])),
    ...(metadata.length > 0
      ? { metadata: metadataOf(object, held) }
      : object.metadata !== undefined && { metadata: copyOf(object.metadata) }),
    ...defined(content?.fields() ?? {}),
  });
  return { patch: [...metadata, ...(content?.patch ?? [])], build: build as Outcome['build'] };
}

interface Change {
  readonly patch: readonly JsonPatchOperation[];
  /** The fields that change, undefined for one that goes. */
  fields(): Readonly<Record<string, unknown>>;
}

function endpointsChange({ situation, incoming, view, frozen }: Work): Change | undefined {
  if (!frozen && !view.entries.some(({ gone, ready, wanted }) => gone || ready !== wanted)) return undefined;
  const subsets = writeEndpoints(view as EndpointsView);
  if (frozen && areSubsetsOf(incoming, subsets)) return undefined;
  const before = (situation.object as EndpointsInput).subsets;
  const after = subsets.length > 0 ? subsets : undefined;
  return { patch: fieldPatch('/subsets', before, after), fields: () => ({ subsets: copyOf(after) }) };
}

function sliceChange(work: Work): Change | undefined {
  const { view, frozen } = work;
  const written = writeSlice(view as SliceView);
  if (frozen) return frozenSlice(work, present(written));
  const before = (view as SliceView).endpoints;
  if (!written.some((endpoint, place) => endpoint !== before[place])) return undefined;
  const patch: JsonPatchOperation[] = [];
  for (const [place, endpoint] of written.entries()) {
    if (endpoint && endpoint !== before[place])
      patch.push(...endpointPatch(`/endpoints/${place}`, before[place] as EndpointInput, endpoint));
  }
  // from behind, so that places stay what they are
  for (let place = written.length - 1; place >= 0; place--) if (!written[place]) patch.push({ op: 'remove', path: `/endpoints/${place}` });
  return { patch, fields: () => ({ endpoints: copyOf(present(written)) }) };
}

const present = (endpoints: readonly (EndpointInput | undefined)[]): EndpointInput[] =>
  endpoints.filter((endpoint) => endpoint !== undefined);

function frozenSlice({ situation: { object, oldObject } }: Work, frozen: readonly EndpointInput[]): Change | undefined {
  const [slice, old] = [object as EndpointSliceInput, oldObject as EndpointSliceInput];
  if (areOfSlice(slice, frozen, old.ports)) return undefined;
  const [endpoints, ports] = [copyOf(frozen), copyOf(old.ports ?? undefined)];
  const patches = [fieldPatch('/endpoints', slice.endpoints, endpoints), fieldPatch('/ports', slice.ports, ports)];
  const was = { '/endpoints': slice.endpoints, '/ports': slice.ports } as Readonly<Record<string, unknown>>;
  // what is the same is not said again
  const patch = patches.flat().filter(({ path, value }) => JSON.stringify(was[path]) !== JSON.stringify(value));
  return { patch, fields: () => ({ endpoints: copyOf(endpoints), ports: copyOf(ports) }) };
}

function endpointPatch(path: string, before: EndpointInput, after: EndpointInput): JsonPatchOperation[] {
  const fields = ['conditions', 'hints'] as const;
  return fields.flatMap((field) => (before[field] === after[field] ? [] : fieldPatch(`${path}/${field}`, before[field], after[field])));
}

function fieldPatch(path: string, before: unknown, after: unknown): JsonPatchOperation[] {
  if (after === undefined) return before === undefined ? [] : [{ op: 'remove', path }];
  return [{ op: before === undefined ? 'add' : 'replace', path, value: after }];
}

type Maps = 'labels' | 'annotations';

const marks = [
  { map: 'annotations', key: heldAnnotation, valueFor: (held: string) => held },
  { map: 'labels', key: heldLabel, valueFor: () => 'true' },
] as const;

function metadataPatch({ metadata }: EndpointsInput | EndpointSliceInput, held: string | undefined): JsonPatchOperation[] {
  if (held !== undefined && !metadata) return [{ op: 'add', path: '/metadata', value: metadataOf({}, held) }];
  return marks.flatMap(({ map, key, valueFor }): JsonPatchOperation[] => {
    const before = metadata?.[map]?.[key];
    const after = held === undefined ? undefined : valueFor(held);
    if (before === after) return [];
    if (!metadata?.[map]) return [{ op: metadata?.[map] === null ? 'replace' : 'add', path: `/metadata/${map}`, value: { [key]: after } }];
    return fieldPatch(`/metadata/${map}/${key.replace('/', '~1')}`, before, after);
  });
}

function metadataOf({ metadata }: EndpointsInput | EndpointSliceInput, held: string | undefined): object {
  const copy: Record<string, unknown> & { [map in Maps]?: Record<string, string> } = { ...(copyOf(metadata ?? {}) as object) };
  for (const { map, key, valueFor } of marks) {
    const values = copy[map];
    if (held !== undefined) copy[map] = { ...values, [key]: valueFor(held) };
    else if (values) delete values[key];
  }
  return copy;
}

function without(object: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

const defined = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Whether what came in is what is stored. */
export function isSameContent({ incoming, storedView, situation: { object, oldObject } }: Work): boolean {
  const before = storedView();
  if (!before) return false;
  if (incoming.kind === 'Endpoints') return printed(subsetsOf(incoming)) === printed(subsetsOf(before));
  const [slice, old] = [object as EndpointSliceInput, oldObject as EndpointSliceInput];
  return printed([slice.endpoints ?? [], slice.ports ?? []]) === printed([old.endpoints ?? [], old.ports ?? []]);
}

/** Whether subsets are those that came in, as the API has them in order. */
export const areSubsetsOf = (incoming: View, subsets: readonly EndpointSubset[]): boolean =>
  printed(subsetsOf(incoming)) === printed(subsets);

/** Whether endpoints and ports are those of a slice. */
export const areOfSlice = (slice: EndpointSliceInput, endpoints: readonly EndpointInput[], ports: EndpointSliceInput['ports']): boolean =>
  printed([slice.endpoints ?? [], slice.ports ?? []]) === printed([endpoints, ports ?? []]);

const subsetsOf = (view: View): readonly EndpointSubset[] => writeEndpoints(asCame(view) as EndpointsView);

/** A view before any rule. */
const asCame = (view: View): View => ({
  ...view,
  entries: view.entries.map((entry) => ({ ...entry, ready: entry.wanted, out: false, gone: undefined })),
});

const printed = (value: unknown): string => JSON.stringify(value);
