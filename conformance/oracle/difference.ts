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
  {
    name: 'verb: one writes and the other does not',
    stages: ['comparison', 'selection'],
    differs: (a, b) => formatVerbs(a) !== formatVerbs(b),
  },
  { name: 'labels', stages: ['metadata'], differs: differsInObject((o) => o.metadata?.labels) },
  {
    name: `annotation ${capacityAnnotation}`,
    stages: ['capacity'],
    differs: differsInObject((o) => o.metadata?.annotations?.[capacityAnnotation]),
  },
  { name: 'other annotations', stages: ['metadata', 'tracking'], differs: differsInObject(otherAnnotations) },
  { name: 'which ports are found', stages: ['ports'], differs: differsInObject(ports) },
  { name: 'which pods are endpoints', stages: ['eligibility', 'address', 'selection'], differs: differsInObject(pods) },
  { name: 'addresses ready or not ready', stages: ['eligibility'], differs: differsInObject(readiness, pods) },
  { name: 'IPs', stages: ['address'], differs: differsInObject(ips, pods) },
  { name: 'hostname, nodeName or targetRef', stages: ['address'], differs: differsInObject(otherFields, pods) },
  { name: 'order of addresses', stages: ['subsets'], differs: differsInObject(addressLists, content) },
  { name: 'order of ports', stages: ['subsets'], differs: differsInObject(portLists, content) },
  { name: 'order or grouping of subsets', stages: ['subsets'], differs: differsInObject(subsetList, content) },
];

/** Returns the kinds of differences between two results of one case at any sync. */
export function findDifferenceKinds(a: Result, b: Result): Kind[] {
  const others = outcomesOf(b);
  const pairs = outcomesOf(a).map((outcome, i) => ({ outcome, other: others[i] ?? { endpoints: [] } }));
  if (pairs.every(({ outcome, other }) => isDeepStrictEqual(toComparable(outcome), toComparable(other)))) return [];
  const matches = kinds.filter(({ differs }) => pairs.some(({ outcome, other }) => differs(outcome, other)));
  return matches.length > 0 ? matches : [otherKind];
}

const otherKind: Kind = { name: 'something else', stages: ['metadata'], differs: () => true };

/** Creates a check for a difference in a projection of the written objects, made only if a coarser projection is equal. */
function differsInObject(
  project: (object: EndpointsInput) => unknown,
  coarser: (object: EndpointsInput) => unknown = () => 0,
): Kind['differs'] {
  return (a, b) => {
    const [first, second] = [findWrittenObject(a), findWrittenObject(b)];
    if (!first || !second) return false;
    return isDeepStrictEqual(coarser(first), coarser(second)) && !isDeepStrictEqual(project(first), project(second));
  };
}

const findWrittenObject = ({ endpoints }: Outcome): EndpointsInput | undefined => endpoints.find(({ object }) => object)?.object;
const formatVerbs = ({ endpoints }: Outcome): string => endpoints.map(({ verb }: Write) => verb).join();
const toComparable = ({ endpoints, error, panic }: Outcome): unknown => [endpoints, error !== undefined, panic ?? false];
