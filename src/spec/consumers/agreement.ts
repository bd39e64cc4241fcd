import { compareText } from '../../apimachinery/compare.ts';
import type { EndpointSliceInput, EndpointsInput, Service, TargetRef } from '../../types/index.ts';
import { countAddresses, maxCapacity } from '../capacity.ts';
import { overCapacityAnnotation } from '../metadata.ts';
import { serviceNameLabel } from '../slices/metadata.ts';
import { createTally, type Difference, type Disregarded, differenceOf, type Tally } from './agreement-codes.ts';
import { bestOf, type Claim, type Claims, type View, viewOfEndpoints, viewOfSlices } from './agreement-views.ts';
import { primaryFamily } from './convert.ts';
import { sortProblems } from './merge.ts';
import { type CollectedService, collectSlices, type MergeProblem } from './merge-collect.ts';

export interface CheckAgreementOptions {
  /** The Service defines the primary family and whether it has ports. Without it, both are derived from Endpoints and slices. */
  readonly service?: Service;
}

export interface Agreement {
  readonly agrees: boolean;
  /** Sorted by address and code. */
  readonly differences: Difference[];
  /** Expected differences between the two kinds of objects. */
  readonly disregarded: Disregarded[];
  /** Problems of the slices themselves. */
  readonly problems: MergeProblem[];
}

/**
 * Checks whether Endpoints and the slices of the same Service agree, and lists the differences. `slices` may be every slice of
 * the cluster.
 *
 * 1. Slices are joined as in `mergeSlices`, and what the endpoints controller would leave out is disregarded.
 * 2. Only addresses of the families in Endpoints are compared; if Endpoints are empty, those of the primary family.
 * 3. An address that both have is compared by ports, then for each shared port by the shared targets: readiness, node, host
 *    name. If they share no target, the targets differ.
 * 4. If Endpoints are truncated, or slices mirror a subset over capacity, missing addresses are disregarded.
 */
export function checkAgreement(
  endpoints: EndpointsInput,
  slices: readonly EndpointSliceInput[],
  options: CheckAgreementOptions = {},
): Agreement {
  const tally = createTally();
  const own = slices.filter((slice) => isOfSameService(endpoints, slice) || tallyOther(tally, slice));
  const { services, problems } = collectSlices(own, { byTarget: true });
  const stated = viewOfEndpoints(endpoints);
  const [collected] = services;
  const { service } = options;
  const families = new Set(familiesOf(stated, collected, service));
  const sliced = collected ? viewOfSlices(collected, { families, service, other: stated, tally }) : viewOfEndpoints({});
  const differences = compareViews(stated, sliced, tally, {
    truncated: isTruncated(endpoints),
    cutByMirror: isCutByMirror(endpoints, collected),
  });
  return { agrees: differences.length === 0, differences, disregarded: tally.list(), problems: sortProblems(problems) };
}

function isOfSameService({ metadata }: EndpointsInput, slice: EndpointSliceInput): boolean {
  return (
    (slice.metadata?.namespace ?? '') === (metadata?.namespace ?? '') &&
    slice.metadata?.labels?.[serviceNameLabel] === (metadata?.name ?? '')
  );
}

function tallyOther(tally: Tally, { metadata }: EndpointSliceInput): false {
  tally.add('OtherService', JSON.stringify([metadata?.namespace, metadata?.name, metadata?.labels?.[serviceNameLabel]]));
  return false;
}

/** The families of the addresses in Endpoints; if they have none, the primary family. */
function familiesOf({ addresses }: View, collected: CollectedService | undefined, service: Service | undefined): string[] {
  if (addresses.size === 0) return collected ? [primaryFamily(collected, service)] : [];
  return [...addresses.keys()].map((address) => (address.includes(':') ? 'IPv6' : 'IPv4'));
}

const isTruncated = ({ metadata }: EndpointsInput): boolean => metadata?.annotations?.[overCapacityAnnotation] === 'truncated';

const isCutByMirror = ({ subsets }: EndpointsInput, service: CollectedService | undefined): boolean =>
  !!service?.mirrored && (subsets ?? []).some((subset) => countAddresses([subset]) > maxCapacity);

interface Allowances {
  readonly truncated: boolean;
  readonly cutByMirror: boolean;
}

function compareViews(stated: View, sliced: View, tally: Tally, allowances: Allowances): Difference[] {
  const differences: Difference[] = [];
  for (const address of [...new Set([...stated.addresses.keys(), ...sliced.addresses.keys()])].sort(compareText)) {
    const [one, other] = [stated.addresses.get(address), sliced.addresses.get(address)];
    if (one && other) differences.push(...comparePorts(address, one, other, tally, allowances));
    else if (one && allowances.cutByMirror) tally.add('NotMirrored', address);
    else if (one) differences.push(differenceOf('MissingInSlices', { address, endpoints: readinessOf(bestIn(one)) }));
    else if (other && allowances.truncated) tally.add('Truncated', address);
    else if (other) {
      const best = bestIn(other);
      differences.push(differenceOf('MissingInEndpoints', { address, slices: readinessOf(best), names: best.slices }));
    }
  }
  return [...differences, ...compareProtocols(stated, sliced)];
}

type Ports = ReadonlyMap<string, Claims>;

function comparePorts(address: string, stated: Ports, sliced: Ports, tally: Tally, allowances: Allowances): Difference[] {
  const onlyStated = [...stated.keys()].filter((port) => !sliced.has(port));
  const onlySliced = [...sliced.keys()].filter((port) => !stated.has(port));
  if (onlyStated.length > 0 && allowances.cutByMirror) tally.add('NotMirrored', address);
  if (onlySliced.length > 0 && allowances.truncated) tally.add('Truncated', address);
  const found = new Map<string, Difference>();
  if ((onlyStated.length > 0 && !allowances.cutByMirror) || (onlySliced.length > 0 && !allowances.truncated)) {
    const names = bestIn(sliced).slices;
    found.set('PortsDiffer', differenceOf('PortsDiffer', { address, endpoints: listOf(stated), slices: listOf(sliced), names }));
  }
  for (const [port, claims] of stated) {
    const others = sliced.get(port);
    for (const difference of others ? compareClaims(address, claims, others, tally) : []) {
      if (!found.has(difference.code)) found.set(difference.code, difference);
    }
  }
  return [...found.values()];
}

/** Compares the claims of one port. Only targets that both sides list are compared; others at the same address are disregarded. */
function compareClaims(address: string, stated: Claims, sliced: Claims, tally: Tally): Difference[] {
  const shared = [...stated.keys()].filter((uid) => sliced.has(uid));
  if (shared.length === 0) return compareTargetClaims(address, bestOf(stated.values()), bestOf(sliced.values()), false);
  if (shared.length < Math.max(stated.size, sliced.size)) tally.add('SharedAddress', address);
  return shared.flatMap((uid) => compareTargetClaims(address, stated.get(uid) as Claim, sliced.get(uid) as Claim, true));
}

function compareTargetClaims(address: string, one: Claim, other: Claim, sameTarget: boolean): Difference[] {
  const rows = [
    {
      code: 'ReadinessDiffers',
      endpoints: readinessOf({ ...one, terminating: false }),
      slices: readinessOf({ ...other, terminating: false }),
    },
    { code: 'TargetDiffers', endpoints: targetOf(one.targetRef, sameTarget), slices: targetOf(other.targetRef, sameTarget) },
    { code: 'NodeDiffers', endpoints: quoted('node', one.nodeName), slices: quoted('node', other.nodeName) },
    { code: 'HostnameDiffers', endpoints: quoted('host name', one.hostname), slices: quoted('host name', other.hostname) },
  ] as const;
  return rows
    .filter(({ code, endpoints, slices }) => endpoints !== slices && (sameTarget || comparedAcrossTargets.includes(code)))
    .map(({ code, ...values }) => differenceOf(code, { address, ...values, names: other.slices }));
}

/** Codes that are compared even if the targets differ, because they concern the address and not its target. */
const comparedAcrossTargets: readonly string[] = ['ReadinessDiffers', 'TargetDiffers'];

function compareProtocols(stated: View, sliced: View): Difference[] {
  const differences: Difference[] = [];
  for (const port of [...stated.appProtocols.keys()].sort(compareText)) {
    const [one, other] = [stated.appProtocols.get(port), sliced.appProtocols.get(port)].map((set) =>
      [...(set ?? [])].sort(compareText).join(', '),
    );
    if (!sliced.appProtocols.has(port) || one === other) continue;
    const values = { endpoints: quoted('application protocol', one), slices: quoted('application protocol', other) };
    differences.push(differenceOf('AppProtocolDiffers', { port, ...values }));
  }
  return differences;
}

const bestIn = (ports: Ports): Claim => bestOf([...ports.values()].flatMap((claims) => [...claims.values()]));

const readinessOf = ({ ready, terminating }: Pick<Claim, 'ready' | 'terminating'>): string =>
  `${ready ? 'ready' : 'not ready'}${terminating ? ' and terminating' : ''}`;

/** Kind and name; with the UID only if the UIDs differ. */
function targetOf(target: TargetRef | undefined, sameUID: boolean): string {
  if (!target) return 'no target';
  const { kind, namespace, name, uid } = target;
  return `${kind ?? 'object'} ${namespace ?? ''}/${name ?? ''}${sameUID ? '' : ` (UID ${uid ?? 'unknown'})`}`;
}

const quoted = (what: string, value: string | undefined): string => (value ? `${what} "${value}"` : `no ${what}`);

const listOf = (ports: Ports): string => [...ports.keys()].sort(compareText).join(', ');
