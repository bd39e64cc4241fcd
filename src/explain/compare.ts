import { objectKey } from '../apimachinery/index.ts';
import { createReconcilerFor } from '../incremental/index.ts';
import { computeEndpointsFor, settingsForProfile } from '../spec/index.ts';
import type { EndpointAddress, Endpoints, Pod, Service } from '../types/index.ts';
import { findCauses, namesOfGates } from '../versions/causes.ts';
import { endpointsGates, gateRows } from '../versions/gates.ts';
import { type FeatureGates, type GateName, type Profile, profileFor } from '../versions/index.ts';
import type { PodExplanation, ReleaseComparison, ReleaseDifference } from './explanation.ts';
import { explainEndpoints } from './pods.ts';

export interface CompareReleasesOptions {
  /** "1.9" to "1.37" or a patch release of one. */
  readonly from: string;
  readonly to: string;
  /** Feature gates of each release that differ from their defaults. */
  readonly featureGates?: { readonly from?: FeatureGates | undefined; readonly to?: FeatureGates | undefined } | undefined;
}

/**
 * Compares two releases for the same objects. Returns the differences of the Endpoints, the gates that cause them, the pods whose
 * result changes, and what the second release's controller writes when it takes over from the first.
 * @throws RangeError for an unknown version, or an invalid feature gate
 */
export function compareReleases(
  service: Service,
  pods: readonly Pod[],
  { from, to, featureGates = {} }: CompareReleasesOptions,
): ReleaseComparison {
  const [older, newer] = [profileFor(from, featureGates.from), profileFor(to, featureGates.to)];
  const compute = (profile: Profile): Endpoints | undefined => computeEndpointsFor(service, pods, settingsForProfile(profile));
  const [before, after] = [compute(older), compute(newer)];
  const causes = findCauses({ older, newer, before, after, gates: gatesOfEndpoints, compute, findAspects: findDifferences });
  const differences = causes.map(({ what, gates }): ReleaseDifference => ({ what, message: messages[what], gates }));
  return {
    namespace: service.metadata?.namespace ?? '',
    name: service.metadata?.name ?? '',
    from: older.version,
    to: newer.version,
    before,
    after,
    same: differences.length === 0,
    differences,
    pods: findChangedPods(
      explainEndpoints(service, pods, { version: from, featureGates: featureGates.from }),
      explainEndpoints(service, pods, { version: to, featureGates: featureGates.to }),
    ),
    takeover: planTakeover(service, pods, before, newer),
  };
}

type Aspect = ReleaseDifference['what'];

const messages: Readonly<Record<Aspect, string>> = {
  existence: 'Only one of the releases writes Endpoints at all.',
  addresses: 'Other addresses are listed.',
  readiness: 'Addresses are ready in one release and not ready in the other.',
  ports: 'Other ports are listed.',
  targets: 'Addresses carry other details: host name, node or target.',
  order: 'Ports or subsets are in another order.',
  labels: 'The labels differ.',
  annotations: 'The annotations differ.',
};

/** The aspects in which two Endpoints differ. Details are compared for addresses that both Endpoints have. */
function findDifferences(a: Endpoints | undefined, b: Endpoints | undefined): Aspect[] {
  if (!a || !b) return a === b ? [] : ['existence'];
  const [left, right] = [entriesOf(a), entriesOf(b)];
  const sharedKeys = [...left.keys()].filter((key) => right.has(key));
  const aspects: Aspect[] = left.size === right.size && sharedKeys.length === left.size ? [] : ['addresses'];
  for (const detail of comparedDetails)
    if (sharedKeys.some((key) => left.get(key)?.[detail] !== right.get(key)?.[detail])) aspects.push(detail);
  if (aspects.length === 0 && JSON.stringify(a.subsets) !== JSON.stringify(b.subsets)) aspects.push('order');
  for (const map of ['labels', 'annotations'] as const)
    if (JSON.stringify(a.metadata[map]) !== JSON.stringify(b.metadata[map])) aspects.push(map);
  return aspects;
}

const comparedDetails = ['readiness', 'ports', 'targets'] as const;

/** The details of every address, each as one comparable text. */
function entriesOf({ subsets = [] }: Endpoints): ReadonlyMap<string, Record<(typeof comparedDetails)[number], string>> {
  const entries = new Map<string, Record<(typeof comparedDetails)[number], string>>();
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    const portsText = JSON.stringify(ports.map((port) => JSON.stringify(port)).sort());
    const add = (address: EndpointAddress, ready: boolean): void => {
      const key = JSON.stringify([address.ip, address.targetRef?.uid]);
      const entry = entries.get(key);
      entries.set(key, {
        readiness: addSortedLine(entry?.readiness, `${ready}`),
        ports: addSortedLine(entry?.ports, portsText),
        targets: JSON.stringify(address),
      });
    };
    for (const address of addresses) add(address, true);
    for (const address of notReadyAddresses) add(address, false);
  }
  return entries;
}

/** Sorted, because the subsets of an address come in any order. */
const addSortedLine = (lines: string | undefined, line: string): string =>
  lines === undefined ? line : [...lines.split('\n'), line].sort().join('\n');

function findChangedPods(before: readonly PodExplanation[], after: readonly PodExplanation[]): ReleaseComparison['pods'] {
  const resultOf = ({ included, ready, ip, ports }: PodExplanation): string => JSON.stringify([included, ready, ip, ports]);
  return before.flatMap((pod, index) => {
    const newPod = after[index] as PodExplanation;
    return resultOf(pod) === resultOf(newPod) ? [] : [{ before: pod, after: newPod }];
  });
}

/** Plans the first sync of the newer release's controller, given the older release's Endpoints. */
function planTakeover(
  service: Service,
  pods: readonly Pod[],
  before: Endpoints | undefined,
  newer: Profile,
): ReleaseComparison['takeover'] {
  const current = before && { ...before, metadata: { ...before.metadata, resourceVersion: '1' } };
  const key = objectKey(service);
  const { action, reasons } = createReconcilerFor(settingsForProfile(newer)).reconcile({ key, service, pods, current });
  return { action: action === 'create' || action === 'update' ? action : 'none', reasons };
}

const gateNames = namesOfGates(gateRows);

/** The gates that can affect Endpoints. */
export const gatesOfEndpoints: readonly GateName[] = gateNames.filter((name) => Object.hasOwn(endpointsGates, name));

/** The gates that can affect EndpointSlices, except the one that marks where their specification starts. */
export const gatesOfSlices: readonly GateName[] = gateNames.filter(
  (name) =>
    name !== 'slicesAreBeta' &&
    (gateRows[name].stage === 'slices' || gateRows[name].stage === 'hints' || gateRows[name].also?.includes('slices')),
);
