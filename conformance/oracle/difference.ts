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

/** A way in which two releases answer one case differently, and the stage of the gate table to look at. */
export interface Kind {
  readonly name: string;
  readonly stages: readonly Stage[];
  readonly differs: (a: Outcome, b: Outcome) => boolean;
}

/**
 * In the order in which they are to be read: what is above explains much of what is below. Where a second projection is named,
 * the kind shows only in objects that are the same in that one: so other addresses are not taken for addresses in another order.
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

/** The kinds in which two results of one case differ at any sync; empty where they are the same. */
export function differences(a: Result, b: Result): Kind[] {
  const others = outcomesOf(b);
  const pairs = outcomesOf(a).map((outcome, i) => ({ outcome, other: others[i] ?? { endpoints: [] } }));
  if (pairs.every(({ outcome, other }) => isDeepStrictEqual(essence(outcome), essence(other)))) return [];
  const found = kinds.filter(({ differs }) => pairs.some(({ outcome, other }) => differs(outcome, other)));
  return found.length > 0 ? found : [unnamed];
}

/** What none of the kinds names. */
const unnamed: Kind = { name: 'something else', stages: ['metadata'], differs: () => true };

/** A kind that shows in a projection of what was written, looked at only where a coarser projection is the same. */
function byObject(project: (object: EndpointsInput) => unknown, coarser: (object: EndpointsInput) => unknown = () => 0): Kind['differs'] {
  return (a, b) => {
    const [first, second] = [written(a), written(b)];
    if (!first || !second) return false;
    return isDeepStrictEqual(coarser(first), coarser(second)) && !isDeepStrictEqual(project(first), project(second));
  };
}

const written = ({ endpoints }: Outcome): EndpointsInput | undefined => endpoints.find(({ object }) => object)?.object;
const verbs = ({ endpoints }: Outcome): string => endpoints.map(({ verb }: Write) => verb).join();
const essence = ({ endpoints, error, panic }: Outcome): unknown => [endpoints, error !== undefined, panic ?? false];
