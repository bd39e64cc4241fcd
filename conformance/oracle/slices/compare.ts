import { isDeepStrictEqual } from 'node:util';
import type { SlicePortInput } from 'kube-endpoints/internal';
import type { EndpointInput, EndpointSliceInput } from 'kube-endpoints/types';
import type { SliceEventRecord, SliceOutcome, SliceWrite } from './case.ts';

/**
 * How our outcome compares with those of the controller from the same state:
 * - same: equal to the controller's outcome
 * - varied: equal to another outcome of the controller
 * - fewer: the same endpoints and hints, with fewer writes than the controller ever needed
 * - placed: the controller's outcomes vary; ours has the same endpoints and as many hints for each zone and
 *   node, with no more writes than the controller needed
 * - broken: the controller creates a slice with an existing name, which no API server accepts. The mirroring controller
 *   does so if it confuses several new slices (removeSlice in its reconciler_helpers.go identifies them by name)
 * - mismatch: anything else
 */
export type Verdict = 'same' | 'varied' | 'fewer' | 'placed' | 'broken' | 'mismatch';

export function verdictOf(ours: SliceOutcome, theirs: SliceOutcome): Verdict {
  if (theirs.writes.some(({ verb, object }) => verb === 'create' && object?.metadata?.name)) return 'broken';
  const ourForm = exactForm(ours);
  if (isDeepStrictEqual(ourForm, exactForm(theirs))) return 'same';
  const outcomes = [theirs, ...(theirs.others ?? [])];
  const forms = outcomes.map(exactForm);
  if (forms.some((form) => isDeepStrictEqual(form, ourForm))) return 'varied';
  if (!hasSameTotals(ours, outcomes)) return 'mismatch';
  const counts = outcomes.map(({ writes }) => writes.length);
  if (ours.writes.length < Math.min(...counts)) return 'fewer';
  const varies = forms.some((form) => !isDeepStrictEqual(form, forms[0]));
  return varies && ours.writes.length <= Math.max(...counts) ? 'placed' : 'mismatch';
}

/** Whether ours has as many addresses and hints as one of the outcomes, and only endpoints that some outcome has. */
function hasSameTotals(ours: SliceOutcome, outcomes: readonly SliceOutcome[]): boolean {
  const loose = looseForm(ours);
  if (!outcomes.some((outcome) => isDeepStrictEqual(looseForm(outcome), loose))) return false;
  const endpoints = new Set(outcomes.flatMap(endpointTexts));
  return endpointTexts(ours).every((text) => endpoints.has(text));
}

/**
 * Formats endpoints without hints and without the resourceVersion of their targets, with the group that each belongs to. A slice that is kept
 * has the resourceVersion of an earlier sync, which slices that are written again do not have.
 */
const endpointTexts = ({ slices }: SliceOutcome): string[] =>
  slices.flatMap((slice) =>
    (slice.endpoints ?? []).map(
      ({ hints, targetRef, ...endpoint }) =>
        `${groupOf(slice)} ${JSON.stringify(endpointOf({ ...endpoint, targetRef: targetRef && { ...targetRef, resourceVersion: undefined } }))}`,
    ),
  );

/**
 * The deterministic part of an outcome: the writes by verb, the names of existing slices, the prefix of created ones,
 * the order of their ports, and the final state. Endpoints have no order.
 */
export const exactForm = ({ writes, events, error, slices }: SliceOutcome): unknown => ({
  verbs: (['create', 'update', 'delete'] as const).map((verb) => writes.filter((write) => write.verb === verb).length),
  updated: sortAsText(writes.filter(({ verb }) => verb === 'update').map(({ object }) => object?.metadata?.name)),
  deleted: sortAsText(writes.filter(({ verb }) => verb === 'delete').map(({ name }) => name)),
  created: sortAsText(writes.filter(({ verb }) => verb === 'create').map(prefixOf)),
  ports: sortAsText(writes.flatMap(({ verb, object }) => (verb === 'create' ? [(object?.ports ?? []).map(portOf)] : []))),
  events: toComparableEvents(events),
  retry: error !== undefined,
  groups: groupsOf(slices, (group) => ({
    endpoints: sortAsText(group.flatMap(({ endpoints }) => (endpoints ?? []).map(endpointOf))),
    sizes: group.map(({ endpoints }) => endpoints?.length ?? 0).sort((a, b) => a - b),
    metadata: sortAsText(group.map(metadataOf)),
  })),
});

/** The totals of the final state, regardless of slices and of the endpoints that carry hints. */
export const looseForm = ({ events, error, slices }: SliceOutcome): unknown => ({
  events: toComparableEvents(events),
  retry: error !== undefined,
  groups: groupsOf(
    slices.filter(({ endpoints }) => endpoints?.length),
    (group) => {
      const all = group.flatMap(({ endpoints }) => endpoints ?? []);
      return {
        // an endpoint in two slices counts once
        addresses: new Set(all.map(({ addresses }) => JSON.stringify(addresses ?? []))).size,
        hints: sortAsText(all.flatMap(({ hints }) => [...(hints?.forZones ?? []), ...(hints?.forNodes ?? [])].map(({ name }) => name))),
        owners: [...new Set(sortAsText(group.map(({ metadata }) => (metadata?.ownerReferences ?? []).filter(isService))))],
      };
    },
  ),
});

/** Owners of other kinds are ignored: up to 1.29, a mirror keeps the UID of deleted Endpoints if new ones have the same name. */
const isService = ({ kind }: { readonly kind?: string | null | undefined }): boolean => kind === 'Service';

function groupsOf(slices: readonly EndpointSliceInput[], project: (group: EndpointSliceInput[]) => unknown): unknown {
  const groups = new Map<string, EndpointSliceInput[]>();
  for (const slice of slices) {
    const key = groupOf(slice);
    groups.set(key, [...(groups.get(key) ?? []), slice]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, group]) => [key, project(group)]);
}

const groupOf = ({ metadata, addressType, ports }: EndpointSliceInput): string =>
  JSON.stringify([metadata?.namespace, addressType, sortAsText((ports ?? []).map(portOf))]);

const toComparableEvents = (events: readonly SliceEventRecord[]): string[] =>
  sortAsText(
    events.map(({ type, reason, message }) => [type, reason, reason === 'FailedToUpdateEndpointSlices' ? parseFailures(message) : message]),
  );

/**
 * Extracts the failures of a message, sorted because their order is random. If the first missing node ends a sync, that node is random too.
 */
const parseFailures = (message: string): string[] =>
  sortAsText(
    message
      .replace(/: \[?/, ', ')
      .replace(/\]$/, '')
      .replace(/node "[^"]*" not found/, 'node not found')
      .split(', '),
  );

const prefixOf = ({ object }: SliceWrite): unknown => [
  object?.metadata?.namespace,
  (object?.metadata as { generateName?: string })?.generateName,
];

const portOf = ({ name, port, protocol, appProtocol }: SlicePortInput): unknown => [
  name ?? null,
  port ?? null,
  protocol ?? null,
  appProtocol ?? null,
];

/** Treats absent, null and empty alike, and ignores the order of fields. */
const endpointOf = ({
  addresses,
  conditions,
  hostname,
  targetRef,
  topology,
  deprecatedTopology,
  nodeName,
  zone,
  hints,
}: EndpointInput): unknown => [
  addresses ?? [],
  [conditions?.ready ?? null, conditions?.serving ?? null, conditions?.terminating ?? null],
  [hostname ?? null, nodeName ?? null, zone ?? null],
  entriesOf(targetRef),
  entriesOf(topology ?? deprecatedTopology),
  [(hints?.forZones ?? []).map(({ name }) => name), (hints?.forNodes ?? []).map(({ name }) => name)],
];

const metadataOf = ({ metadata }: EndpointSliceInput): unknown => [
  entriesOf(metadata?.labels),
  entriesOf(metadata?.annotations),
  (metadata?.ownerReferences ?? []).map(entriesOf),
];

const entriesOf = (record: object | null | undefined): unknown =>
  Object.entries(record ?? {})
    .filter(([, value]) => value !== null && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));

const sortAsText = (list: readonly unknown[]): string[] => list.map((entry) => JSON.stringify(entry) ?? '').sort();
