import { createReconcilerFor } from '../incremental/index.ts';
import { type SlicePlan, serveSlice, settingsForProfile } from '../spec/index.ts';
import type { Endpoint, EndpointSlice, EndpointSliceInput, Node, Pod, Service } from '../types/index.ts';
import { findCauses } from '../versions/causes.ts';
import { type Profile, profileFor } from '../versions/index.ts';
import { type CompareReleasesOptions, gatesOfSlices } from './compare.ts';
import type { SliceReleaseComparison, SliceReleaseDifference } from './explanation.ts';

export interface CompareSliceReleasesOptions extends CompareReleasesOptions {
  /** All nodes of the cluster; undefined if nodes are unknown. */
  readonly nodes?: readonly Node[] | undefined;
}

/**
 * Compares the EndpointSlices of two releases for the same objects: the differences, the gates that cause them, and what the second
 * release's controller writes when it takes over from the first. Undefined if a release is before 1.17, for which slices are not
 * specified.
 * @throws RangeError for an unknown version, or an invalid feature gate
 */
export function compareSliceReleases(
  service: Service,
  pods: readonly Pod[],
  { from, to, nodes, featureGates = {} }: CompareSliceReleasesOptions,
): SliceReleaseComparison | undefined {
  const [older, newer] = [profileFor(from, featureGates.from), profileFor(to, featureGates.to)];
  if (!older.slicesAreBeta || !newer.slicesAreBeta) return undefined;
  const plan = (profile: Profile, current: readonly EndpointSliceInput[]): Pick<SlicePlan, 'create' | 'update' | 'delete' | 'reasons'> =>
    profile.sliceControllerStarted
      ? createReconcilerFor(settingsForProfile(profile)).reconcileSlices({ key: '', service, pods, nodes, current })
      : { create: [], update: [], delete: [], reasons: [] };
  const compute = (profile: Profile): EndpointSlice[] => plan(profile, []).create;
  const [before, after] = [compute(older), compute(newer)];
  const causes = findCauses({
    older,
    newer,
    before,
    after,
    gates: gatesOfSlices,
    compute,
    findAspects: findDifferences,
  });
  const current = before.map((slice, i) => serveSlice(toWrittenSlice(slice, i), newer));
  const { create, update, delete: toDelete, reasons } = plan(newer, current);
  return {
    before,
    after,
    same: causes.length === 0,
    differences: causes.map(({ what, gates }): SliceReleaseDifference => ({ what, message: messages[what], gates })),
    takeover: { create: create.length, update: update.length, delete: toDelete.length, reasons },
  };
}

type Aspect = SliceReleaseDifference['what'];

const messages: Readonly<Record<Aspect, string>> = {
  existence: 'Only one of the releases writes slices at all.',
  endpoints: 'Other endpoints are listed.',
  conditions: 'Endpoints have other conditions.',
  ports: 'Endpoints are listed under other ports.',
  details: 'Endpoints carry other details: host name, node, zone or target.',
  hints: 'Endpoints have other hints.',
  order: 'Ports or endpoints are in another order.',
};

/** A new slice as the API server returns it. */
const toWrittenSlice = (slice: EndpointSlice, index: number): EndpointSlice => ({
  ...slice,
  metadata: { ...slice.metadata, name: `${slice.metadata.generateName ?? ''}${index}`, resourceVersion: '1' },
});

/** The aspects in which slices differ. Details are compared for endpoints that both lists have. */
function findDifferences(a: readonly EndpointSlice[], b: readonly EndpointSlice[]): Aspect[] {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? [] : ['existence'];
  const [left, right] = [entriesOf(a), entriesOf(b)];
  const sharedKeys = [...left.keys()].filter((key) => right.has(key));
  const differences: Aspect[] = left.size === right.size && sharedKeys.length === left.size ? [] : ['endpoints'];
  for (const aspect of aspects)
    if (sharedKeys.some((key) => left.get(key)?.[aspect] !== right.get(key)?.[aspect])) differences.push(aspect);
  if (differences.length === 0 && JSON.stringify(a) !== JSON.stringify(b)) differences.push('order');
  return differences;
}

const aspects = ['conditions', 'ports', 'details', 'hints'] as const;
type Entry = Readonly<Record<(typeof aspects)[number], string>>;

/** The aspects of every endpoint, each as one text. */
function entriesOf(slices: readonly EndpointSlice[]): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { addressType, endpoints, ports } of slices) {
    const portsText = JSON.stringify(ports.map((port) => JSON.stringify(port)).sort());
    for (const endpoint of endpoints) {
      const { addresses, targetRef } = endpoint;
      entries.set(JSON.stringify([addressType, addresses, targetRef?.namespace, targetRef?.name]), entryOf(endpoint, portsText));
    }
  }
  return entries;
}

const entryOf = ({ conditions, hints, addresses: _, ...details }: Endpoint, ports: string): Entry => ({
  conditions: JSON.stringify(conditions),
  ports,
  details: JSON.stringify(details),
  hints: JSON.stringify(hints ?? null),
});
