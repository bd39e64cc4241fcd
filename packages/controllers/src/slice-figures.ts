import type { SlicePlan } from 'kube-endpoints';
import type { EndpointInput, EndpointSliceInput } from 'kube-endpoints/types';
import type { Happening } from './happening.ts';

type Planned = Extract<Happening, { kind: 'planned'; controller: 'endpointslices' }>;

export type SliceFigures = Required<Pick<Planned, 'there' | 'desired' | 'endpoints' | 'added' | 'removed'>>;

/** What is to be told of a plan for slices. Costs a look at every slice of the Service, and at the endpoints of those that change. */
export function sliceFigures(plan: SlicePlan, current: readonly EndpointSliceInput[], maxEndpointsPerSlice = 100): SliceFigures {
  const changed = new Set([...plan.update, ...plan.delete].map(({ metadata }) => metadata.name));
  const kept = current.filter(({ metadata }) => !changed.has(metadata?.name ?? ''));
  const before = identities(current.filter(({ metadata }) => changed.has(metadata?.name ?? '')));
  const after = identities([...plan.create, ...plan.update]);
  const groups = new Map<string, number>();
  let endpoints = 0;
  for (const slice of [...kept, ...plan.create, ...plan.update]) {
    const count = slice.endpoints?.length ?? 0;
    const group = groupOf(slice);
    endpoints += count;
    groups.set(group, (groups.get(group) ?? 0) + count);
  }
  let desired = 0;
  for (const count of groups.values()) desired += Math.max(1, Math.ceil(count / maxEndpointsPerSlice));
  return { there: current.length, desired, endpoints, added: missingFrom(before, after), removed: missingFrom(after, before) };
}

/** Slices of one group could hold each other's endpoints. */
const groupOf = ({ addressType, ports }: EndpointSliceInput): string => {
  const texts = (ports ?? []).map(({ name, protocol, port, appProtocol }) => `${name ?? ''}/${protocol}/${port}/${appProtocol ?? ''}`);
  return `${addressType} ${texts.sort().join(' ')}`;
};

/** An endpoint remains the same one where it moves to another slice, or becomes ready. */
const identityOf = ({ addresses, targetRef, nodeName }: EndpointInput): string =>
  `${(addresses ?? []).join()} ${targetRef?.uid ?? targetRef?.name ?? ''} ${nodeName ?? ''}`;

const identities = (slices: readonly EndpointSliceInput[]): ReadonlySet<string> =>
  new Set(slices.flatMap(({ addressType, endpoints }) => (endpoints ?? []).map((endpoint) => `${addressType} ${identityOf(endpoint)}`)));

function missingFrom(from: ReadonlySet<string>, all: ReadonlySet<string>): number {
  let count = 0;
  for (const identity of all) if (!from.has(identity)) count++;
  return count;
}
