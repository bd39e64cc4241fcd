import { isDeepStrictEqual } from 'node:util';
import type { Stage } from 'kube-endpoints/internal';
import type { EndpointsInput } from 'kube-endpoints/types';
import { type Outcome, outcomesOf, type Result, type Write } from './case.ts';
import {
  addressLists,
  capacityAnnotation,
  content,
  ips,
  otherAnnotations,
  otherFields,
  pods,
  portLists,
  ports,
  readiness,
  subsetList,
} from './projections.ts';

/** A kind of difference between two releases, and the stages of the gate table to check. */
export interface Kind {
  readonly name: string;
  readonly stages: readonly Stage[];
  readonly differs: (a: Outcome, b: Outcome) => boolean;
}

/**
 * In the order in which to read a report, because earlier kinds explain many later ones. A kind with a second projection applies only to
 * objects that are equal in it, so that different addresses do not also count as a different order.
 */
export const kinds: readonly Kind[] = [
  { name: 'one panics', stages: ['address'], differs: (a, b) => a.panic !== b.panic },
  { name: 'one asks for a retry', stages: ['tracking'], differs: (a, b) => (a.error === undefined) !== (b.error === undefined) },
  { name: 'verb: one writes and the other does not', stages: ['comparison', 'selection'], differs: (a, b) => verbs(a) !== verbs(b) },
  { name: 'labels', stages: ['metadata'], differs: byObject((o) => o.metadata?.labels) },
  {
    name: `annotation ${capacityAnnotation}`,
    stages: ['capacity'],
    differs: byObject((o) => o.metadata?.annotations?.[capacityAnnotation]),
  },
  { name: 'other annotations', stages: ['metadata', 'tracking'], differs: byObject(otherAnnotations) },
  { name: 'which ports are found', stages: ['ports'], differs: byObject(ports) },
  { name: 'which pods are endpoints', stages: ['eligibility', 'address', 'selection'], differs: byObject(pods) },
  { name: 'addresses ready or not ready', stages: ['eligibility'], differs: byObject(readiness, pods) },
  { name: 'IPs', stages: ['address'], differs: byObject(ips, pods) },
  { name: 'hostname, nodeName or targetRef', stages: ['address'], differs: byObject(otherFields, pods) },
  { name: 'order of addresses', stages: ['subsets'], differs: byObject(addressLists, content) },
  { name: 'order of ports', stages: ['subsets'], differs: byObject(portLists, content) },
  { name: 'order or grouping of subsets', stages: ['subsets'], differs: byObject(subsetList, content) },
];

/** The kinds of differences between two results of one case at any sync. */
export function findDifferenceKinds(a: Result, b: Result): Kind[] {
  const others = outcomesOf(b);
  const pairs = outcomesOf(a).map((outcome, i) => ({ outcome, other: others[i] ?? { endpoints: [] } }));
  if (pairs.every(({ outcome, other }) => isDeepStrictEqual(comparable(outcome), comparable(other)))) return [];
  const matches = kinds.filter(({ differs }) => pairs.some(({ outcome, other }) => differs(outcome, other)));
  return matches.length > 0 ? matches : [otherKind];
}

const otherKind: Kind = { name: 'something else', stages: ['metadata'], differs: () => true };

/** A difference in a projection of the written objects, checked only if a coarser projection is equal. */
function byObject(project: (object: EndpointsInput) => unknown, coarser: (object: EndpointsInput) => unknown = () => 0): Kind['differs'] {
  return (a, b) => {
    const [first, second] = [writtenObject(a), writtenObject(b)];
    if (!first || !second) return false;
    return isDeepStrictEqual(coarser(first), coarser(second)) && !isDeepStrictEqual(project(first), project(second));
  };
}

const writtenObject = ({ endpoints }: Outcome): EndpointsInput | undefined => endpoints.find(({ object }) => object)?.object;
const verbs = ({ endpoints }: Outcome): string => endpoints.map(({ verb }: Write) => verb).join();
const comparable = ({ endpoints, error, panic }: Outcome): unknown => [endpoints, error !== undefined, panic ?? false];
