import { plainCopy as copyOf } from 'kube-endpoints/internal/apimachinery';
import type { EndpointInput, EndpointSliceInput, EndpointSubset, EndpointsInput } from 'kube-endpoints/types';
import type { JsonPatchOperation, OverrideResult } from '../overrides.ts';
import { type EndpointsView, writeEndpoints } from '../view/endpoints.ts';
import { type SliceView, writeSlice } from '../view/slice.ts';
import type { View } from '../view/view.ts';
import type { ApplyState } from './compiled.ts';
import { heldAnnotation, heldLabel } from './hold-record.ts';

/** The changes that rules made to an object. */
export interface Outcome {
  /** Empty if nothing changed. */
  readonly patch: readonly JsonPatchOperation[];
  /** Builds the changed object. A function, because most hosts use only the patch. */
  build(): OverrideResult['object'];
}

/** @param holdText the value of the annotation that lists held addresses; undefined if no address is held */
export function createOutcome(state: ApplyState, holdText: string | undefined): Outcome {
  const { object } = state.situation;
  const metadata = createMetadataPatch(object, holdText);
  const content = state.incomingView.kind === 'Endpoints' ? createEndpointsChange(state) : createSliceChange(state);
  if (metadata.length === 0 && !content) return { patch: [], build: () => object };
  const build = (): object => ({
    ...copyOf(omitKeys(object, content ? [...Object.keys(content.buildFields()), 'metadata'] : ['metadata'])),
    ...(metadata.length > 0
      ? { metadata: buildMetadata(object, holdText) }
      : object.metadata !== undefined && { metadata: copyOf(object.metadata) }),
    ...omitUndefined(content?.buildFields() ?? {}),
  });
  return { patch: [...metadata, ...(content?.patch ?? [])], build: build as Outcome['build'] };
}

interface Change {
  readonly patch: readonly JsonPatchOperation[];
  /** Builds the changed fields; undefined for a removed field. */
  buildFields(): Readonly<Record<string, unknown>>;
}

function createEndpointsChange({ situation, incomingView, view, frozen }: ApplyState): Change | undefined {
  if (!frozen && !view.entries.some(({ removal, ready, intendedReady }) => removal || ready !== intendedReady)) return undefined;
  const subsets = writeEndpoints(view as EndpointsView);
  if (frozen && hasSubsets(incomingView, subsets)) return undefined;
  const before = (situation.object as EndpointsInput).subsets;
  const after = subsets.length > 0 ? subsets : undefined;
  return { patch: createFieldPatch('/subsets', before, after), buildFields: () => ({ subsets: copyOf(after) }) };
}

function createSliceChange(state: ApplyState): Change | undefined {
  const { view, frozen } = state;
  const writtenEndpoints = writeSlice(view as SliceView);
  if (frozen) return createFrozenSliceChange(state, omitRemoved(writtenEndpoints));
  const before = (view as SliceView).endpoints;
  if (!writtenEndpoints.some((endpoint, index) => endpoint !== before[index])) return undefined;
  const patch: JsonPatchOperation[] = [];
  for (const [index, endpoint] of writtenEndpoints.entries()) {
    if (endpoint && endpoint !== before[index])
      patch.push(...createEndpointPatch(`/endpoints/${index}`, before[index] as EndpointInput, endpoint));
  }
  // Backwards, so that earlier indexes stay valid.
  for (let index = writtenEndpoints.length - 1; index >= 0; index--)
    if (!writtenEndpoints[index]) patch.push({ op: 'remove', path: `/endpoints/${index}` });
  return { patch, buildFields: () => ({ endpoints: copyOf(omitRemoved(writtenEndpoints)) }) };
}

const omitRemoved = (endpoints: readonly (EndpointInput | undefined)[]): EndpointInput[] =>
  endpoints.filter((endpoint) => endpoint !== undefined);

function createFrozenSliceChange(
  { situation: { object, oldObject } }: ApplyState,
  frozenEndpoints: readonly EndpointInput[],
): Change | undefined {
  const [slice, old] = [object as EndpointSliceInput, oldObject as EndpointSliceInput];
  if (hasSliceContent(slice, frozenEndpoints, old.ports)) return undefined;
  const [endpoints, ports] = [copyOf(frozenEndpoints), copyOf(old.ports ?? undefined)];
  const patches = [createFieldPatch('/endpoints', slice.endpoints, endpoints), createFieldPatch('/ports', slice.ports, ports)];
  const currentFields = { '/endpoints': slice.endpoints, '/ports': slice.ports } as Readonly<Record<string, unknown>>;
  // Drops operations that change nothing.
  const patch = patches.flat().filter(({ path, value }) => JSON.stringify(currentFields[path]) !== JSON.stringify(value));
  return { patch, buildFields: () => ({ endpoints: copyOf(endpoints), ports: copyOf(ports) }) };
}

function createEndpointPatch(path: string, before: EndpointInput, after: EndpointInput): JsonPatchOperation[] {
  const fields = ['conditions', 'hints'] as const;
  return fields.flatMap((field) =>
    before[field] === after[field] ? [] : createFieldPatch(`${path}/${field}`, before[field], after[field]),
  );
}

function createFieldPatch(path: string, before: unknown, after: unknown): JsonPatchOperation[] {
  if (after === undefined) return before === undefined ? [] : [{ op: 'remove', path }];
  return [{ op: before === undefined ? 'add' : 'replace', path, value: after }];
}

type MetadataMap = 'labels' | 'annotations';

/** The annotation and the label of objects with held addresses. */
const holdMarks = [
  { map: 'annotations', key: heldAnnotation, valueFor: (holdText: string) => holdText },
  { map: 'labels', key: heldLabel, valueFor: () => 'true' },
] as const;

function createMetadataPatch({ metadata }: EndpointsInput | EndpointSliceInput, holdText: string | undefined): JsonPatchOperation[] {
  if (holdText !== undefined && !metadata) return [{ op: 'add', path: '/metadata', value: buildMetadata({}, holdText) }];
  return holdMarks.flatMap(({ map, key, valueFor }): JsonPatchOperation[] => {
    const before = metadata?.[map]?.[key];
    const after = holdText === undefined ? undefined : valueFor(holdText);
    if (before === after) return [];
    if (!metadata?.[map]) return [{ op: metadata?.[map] === null ? 'replace' : 'add', path: `/metadata/${map}`, value: { [key]: after } }];
    return createFieldPatch(`/metadata/${map}/${key.replace('/', '~1')}`, before, after);
  });
}

function buildMetadata({ metadata }: EndpointsInput | EndpointSliceInput, holdText: string | undefined): object {
  const copy: Record<string, unknown> & { [map in MetadataMap]?: Record<string, string> } = { ...(copyOf(metadata ?? {}) as object) };
  for (const { map, key, valueFor } of holdMarks) {
    const values = copy[map];
    if (holdText !== undefined) copy[map] = { ...values, [key]: valueFor(holdText) };
    else if (values) delete values[key];
  }
  return copy;
}

function omitKeys(object: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

const omitUndefined = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** True if the endpoints and ports of the incoming object equal those of the stored object. False if no object is stored. */
export function isSameContent({ incomingView, readStoredView, situation: { object, oldObject } }: ApplyState): boolean {
  const before = readStoredView();
  if (!before) return false;
  if (incomingView.kind === 'Endpoints') return serialize(subsetsOf(incomingView)) === serialize(subsetsOf(before));
  const [slice, old] = [object as EndpointSliceInput, oldObject as EndpointSliceInput];
  return serialize([slice.endpoints ?? [], slice.ports ?? []]) === serialize([old.endpoints ?? [], old.ports ?? []]);
}

/** True if the incoming Endpoints, in the API's canonical order, equal these subsets. */
export const hasSubsets = (incoming: View, subsets: readonly EndpointSubset[]): boolean =>
  serialize(subsetsOf(incoming)) === serialize(subsets);

/** True if a slice has these endpoints and ports. */
export const hasSliceContent = (
  slice: EndpointSliceInput,
  endpoints: readonly EndpointInput[],
  ports: EndpointSliceInput['ports'],
): boolean => serialize([slice.endpoints ?? [], slice.ports ?? []]) === serialize([endpoints, ports ?? []]);

const subsetsOf = (view: View): readonly EndpointSubset[] => writeEndpoints(viewBeforeRules(view) as EndpointsView);

/** Returns the view before any rule. */
const viewBeforeRules = (view: View): View => ({
  ...view,
  entries: view.entries.map((entry) => ({ ...entry, ready: entry.intendedReady, isExcluded: false, removal: undefined })),
});

const serialize = (value: unknown): string => JSON.stringify(value);
