import { isDeepStrictEqual } from 'node:util';
import type { SlicePortInput } from 'kube-endpoints/internal';
import type { EndpointInput, EndpointSliceInput } from 'kube-endpoints/types';
import type { SliceEventRecord, SliceOutcome, SliceWrite } from './case.ts';

/**
 * How ours compares with the outcomes that the controller has from one and the same state:
 * - same: it is what the controller did
 * - varied: it is what the controller did another time
 * - fewer: the endpoints and hints stand as the controller left them, after fewer writes than it ever needed
 * - placed: the controller itself does now this, now that; ours leaves the same endpoints and as many hints for each zone and
 *   node, after no more writes than the controller needed
 * - broken: the controller creates a slice under a name that is taken, which no API server accepts. The mirroring controller
 *   does, where it takes one of several new slices for another (removeSlice in its reconciler_helpers.go tells them by name)
 * - mismatch: anything else
 */
export type Verdict = 'same' | 'varied' | 'fewer' | 'placed' | 'broken' | 'mismatch';

export function judge(ours: SliceOutcome, theirs: SliceOutcome): Verdict {
  if (theirs.writes.some(({ verb, object }) => verb === 'create' && object?.metadata?.name)) return 'broken';
  const own = exactForm(ours);
  if (isDeepStrictEqual(own, exactForm(theirs))) return 'same';
  const outcomes = [theirs, ...(theirs.others ?? [])];
  const forms = outcomes.map(exactForm);
  if (forms.some((form) => isDeepStrictEqual(form, own))) return 'varied';
  if (!standsLikeOne(ours, outcomes)) return 'mismatch';
  const counts = outcomes.map(({ writes }) => writes.length);
  if (ours.writes.length < Math.min(...counts)) return 'fewer';
  const varies = forms.some((form) => !isDeepStrictEqual(form, forms[0]));
  return varies && ours.writes.length <= Math.max(...counts) ? 'placed' : 'mismatch';
}

/** Whether ours leaves as many addresses and hints as one of the outcomes does, and no endpoint that none of them leaves. */
function standsLikeOne(ours: SliceOutcome, outcomes: readonly SliceOutcome[]): boolean {
  const loose = looseForm(ours);
  if (!outcomes.some((outcome) => isDeepStrictEqual(looseForm(outcome), loose))) return false;
  const known = new Set(outcomes.flatMap(endpointTexts));
  return endpointTexts(ours).every((text) => known.has(text));
}

/** Endpoints without their hints, and the group that each belongs to. */
const endpointTexts = ({ slices }: SliceOutcome): string[] =>
  slices.flatMap((slice) =>
    (slice.endpoints ?? []).map(({ hints, ...endpoint }) => `${groupOf(slice)} ${JSON.stringify(endpointOf(endpoint))}`),
  );

/**
 * All of an outcome that is not chosen at random: the writes by verb, the names that they keep, what is created under which
 * prefix, the order of ports in what is created, and what stands afterwards. Endpoints have no order.
 */
export const exactForm = ({ writes, events, error, slices }: SliceOutcome): unknown => ({
  verbs: (['create', 'update', 'delete'] as const).map((verb) => writes.filter((write) => write.verb === verb).length),
  updated: sorted(writes.filter(({ verb }) => verb === 'update').map(({ object }) => object?.metadata?.name)),
  deleted: sorted(writes.filter(({ verb }) => verb === 'delete').map(({ name }) => name)),
  created: sorted(writes.filter(({ verb }) => verb === 'create').map(prefixOf)),
  ports: sorted(writes.flatMap(({ verb, object }) => (verb === 'create' ? [(object?.ports ?? []).map(portOf)] : []))),
  events: told(events),
  retry: error !== undefined,
  groups: groupsOf(slices, (group) => ({
    endpoints: sorted(group.flatMap(({ endpoints }) => (endpoints ?? []).map(endpointOf))),
    sizes: group.map(({ endpoints }) => endpoints?.length ?? 0).sort((a, b) => a - b),
    metadata: sorted(group.map(metadataOf)),
  })),
});

/** How much stands afterwards, whichever slice it stands in and whichever endpoint carries a hint. */
export const looseForm = ({ events, error, slices }: SliceOutcome): unknown => ({
  events: told(events),
  retry: error !== undefined,
  groups: groupsOf(
    slices.filter(({ endpoints }) => endpoints?.length),
    (group) => {
      const all = group.flatMap(({ endpoints }) => endpoints ?? []);
      return {
        // an endpoint that stands in two slices is one endpoint
        addresses: new Set(all.map(({ addresses }) => JSON.stringify(addresses ?? []))).size,
        hints: sorted(all.flatMap(({ hints }) => [...(hints?.forZones ?? []), ...(hints?.forNodes ?? [])].map(({ name }) => name))),
        owners: [...new Set(sorted(group.map(({ metadata }) => (metadata?.ownerReferences ?? []).filter(isService))))],
      };
    },
  ),
});

/** Up to 1.29 a mirror that is right is not written for new Endpoints of the same name. */
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
  JSON.stringify([metadata?.namespace, addressType, sorted((ports ?? []).map(portOf))]);

const told = (events: readonly SliceEventRecord[]): string[] =>
  sorted(
    events.map(({ type, reason, message }) => [type, reason, reason === 'FailedToUpdateEndpointSlices' ? failuresIn(message) : message]),
  );

/** Failures are listed in random order; where the first node that is missing ends a sync, it is random which one that is. */
const failuresIn = (message: string): string[] =>
  sorted(
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

/** Absent, null and empty are one, and so are fields in any order. */
const endpointOf = ({ addresses, conditions, hostname, targetRef, deprecatedTopology, nodeName, zone, hints }: EndpointInput): unknown => [
  addresses ?? [],
  [conditions?.ready ?? null, conditions?.serving ?? null, conditions?.terminating ?? null],
  [hostname ?? null, nodeName ?? null, zone ?? null],
  entriesOf(targetRef),
  entriesOf(deprecatedTopology),
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

const sorted = (list: readonly unknown[]): string[] => list.map((entry) => JSON.stringify(entry) ?? '').sort();
