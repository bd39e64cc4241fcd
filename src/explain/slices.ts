import { compareText, namespacedName, objectKey } from '../apimachinery/index.ts';
import { createReconcilerFor } from '../incremental/index.ts';
import { addressTypesOf, type ComputeSlicesOptions, type SlicePlan, settingsFor, unmanagedBecause } from '../spec/index.ts';
import type { Endpoint, EndpointSlice, Pod, Service } from '../types/index.ts';
import type { PodSlicesExplanation, SliceMembership, SlicesExplanation } from './explanation.ts';
import { placements, printPort } from './placements.ts';
import { unmanagedPaths } from './pods.ts';
import { reason } from './reason.ts';
import { explainHints } from './slice-hints.ts';
import { createSliceExplainer } from './slice-pods.ts';

/**
 * What becomes of every pod in EndpointSlices under a release's rules, and of the hints that the Service asks for. Before
 * 1.21, slices are not specified; the explanation then says so and has no pods.
 * @param pods may be every pod there is
 * @throws RangeError for an unknown version, or a maximum that is none
 *
 * A projection of the plan that makes the slices: a pod is in a slice here exactly where `computeEndpointSlices` has it.
 */
export function explainSlices(service: Service, pods: readonly Pod[], options: ComputeSlicesOptions = {}): SlicesExplanation {
  const settings = settingsFor(options);
  const { profile } = settings;
  const name = { namespace: service.metadata?.namespace ?? '', name: service.metadata?.name ?? '', version: profile.version };
  const unmanaged = unmanagedBecause(service, profile);
  const reasons = !profile.slicesAreV1
    ? [reason('SlicesNotSpecified', 'endpointslice.apiVersion', profile)]
    : unmanaged
      ? [reason(unmanaged, unmanagedPaths[unmanaged], profile, { found: '' })]
      : [];
  if (reasons.length > 0) return { ...name, managed: false, reasons, slices: [], hints: [], pods: [] };
  const { nodes } = options;
  const plan: SlicePlan = createReconcilerFor(settings, options.maxEndpointsPerSlice).reconcileSlices({
    key: '',
    service: undeleted(service),
    pods,
    nodes,
    current: [],
  });
  const placed = placements(service, pods, profile);
  const explainPod = createSliceExplainer(placed, nodes, membershipsIn(plan.create));
  return {
    ...name,
    managed: true,
    reasons,
    slices: plan.create,
    hints: explainHints(service, addressTypesOf(service), plan, nodes !== undefined, profile),
    pods: placed.judged.map(({ pod, offer }) => explainPod(pod, offer)).sort(byName),
  };
}

/** As long as the Service is being deleted no slice is added; which pods belong into them is the same. */
const undeleted = (service: Service): Service => ({ ...service, metadata: { ...service.metadata, deletionTimestamp: undefined } });

const byName = (a: PodSlicesExplanation, b: PodSlicesExplanation): number =>
  compareText(a.namespace, b.namespace) || compareText(a.name, b.name);

/** The endpoints of all slices by the namespace and name of their pods. */
function membershipsIn(slices: readonly EndpointSlice[]): (pod: Pod) => readonly SliceMembership[] {
  const memberships = new Map<string, SliceMembership[]>();
  for (const slice of slices) {
    const ports = slice.ports.map((port) => printPort({ ...port, port: port.port ?? 0 })).sort(compareText);
    for (const endpoint of slice.endpoints) {
      const key = namespacedName(endpoint.targetRef?.namespace, endpoint.targetRef?.name);
      const known = memberships.get(key) ?? [];
      memberships.set(key, [...known, membershipOf(slice, ports, endpoint)]);
    }
  }
  return (pod) => memberships.get(objectKey(pod)) ?? [];
}

const membershipOf = ({ addressType }: EndpointSlice, ports: readonly string[], endpoint: Endpoint): SliceMembership => {
  const { addresses, conditions, zone, hints } = endpoint;
  return { addressType, addresses, ports, conditions, ...(zone !== undefined && { zone }), ...(hints && { hints }) };
};
