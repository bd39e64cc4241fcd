import { compareText } from '../../apimachinery/compare.ts';
import type { EndpointSliceInput, EndpointsInput, Service, TargetRef } from '../../types/index.ts';
import { countAddresses, maxCapacity } from '../capacity.ts';
import { overCapacityAnnotation } from '../metadata.ts';
import { serviceNameLabel } from '../slices/metadata.ts';
import { createDifference, createTally, type Difference, type Disregarded, type Tally } from './agreement-codes.ts';
import {
  type AddressEntry,
  chooseBestEntry,
  createEndpointsView,
  createSlicesView,
  type EntriesByTarget,
  type View,
} from './agreement-views.ts';
import { primaryFamily } from './convert.ts';
import { sortProblems } from './merge.ts';
import { type CollectedService, collectSlices, type MergeProblem } from './merge-collect.ts';

export interface CheckAgreementOptions {
  /** Defines the primary family, and whether the Service has ports. If absent, both are derived from Endpoints and slices. */
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
 * 1. Slices are merged as in `mergeSlices`, and endpoints that the endpoints controller would leave out are disregarded.
 * 2. Only addresses of the families in Endpoints are compared; if Endpoints are empty, those of the primary family.
 * 3. An address that Endpoints and slices have is compared by its ports. For each shared port, the readiness, node and host name of
 *    shared targets are compared. If no target is shared, the targets differ.
 * 4. If Endpoints are truncated, or slices mirror a subset over capacity, missing addresses are disregarded.
 */
export function checkAgreement(
  endpoints: EndpointsInput,
  slices: readonly EndpointSliceInput[],
  options: CheckAgreementOptions = {},
): Agreement {
  const tally = createTally();
  const serviceSlices = slices.filter((slice) => isOfSameService(endpoints, slice) || countOtherService(tally, slice));
  const { services, problems } = collectSlices(serviceSlices, { byTarget: true });
  const endpointsView = createEndpointsView(endpoints);
  const [collectedService] = services;
  const { service } = options;
  const addressTypes = new Set(familiesOf(endpointsView, collectedService, service));
  const slicesView = collectedService
    ? createSlicesView(collectedService, { addressTypes, service, endpointsView, tally })
    : createEndpointsView({});
  const differences = compareViews(endpointsView, slicesView, tally, {
    endpointsTruncated: isTruncated(endpoints),
    mirrorTruncated: isTruncatedByMirror(endpoints, collectedService),
  });
  return { agrees: differences.length === 0, differences, disregarded: tally.toDisregarded(), problems: sortProblems(problems) };
}

function isOfSameService({ metadata }: EndpointsInput, slice: EndpointSliceInput): boolean {
  return (
    (slice.metadata?.namespace ?? '') === (metadata?.namespace ?? '') &&
    slice.metadata?.labels?.[serviceNameLabel] === (metadata?.name ?? '')
  );
}

/** Counts the slice as disregarded. Always returns false. */
function countOtherService(tally: Tally, { metadata }: EndpointSliceInput): false {
  tally.add('OtherService', JSON.stringify([metadata?.namespace, metadata?.name, metadata?.labels?.[serviceNameLabel]]));
  return false;
}

/** The families of the addresses in Endpoints; if they have none, the primary family. */
function familiesOf({ addresses }: View, collectedService: CollectedService | undefined, service: Service | undefined): string[] {
  if (addresses.size === 0) return collectedService ? [primaryFamily(collectedService, service)] : [];
  return [...addresses.keys()].map((address) => (address.includes(':') ? 'IPv6' : 'IPv4'));
}

const isTruncated = ({ metadata }: EndpointsInput): boolean => metadata?.annotations?.[overCapacityAnnotation] === 'truncated';

const isTruncatedByMirror = ({ subsets }: EndpointsInput, service: CollectedService | undefined): boolean =>
  !!service?.mirrored && (subsets ?? []).some((subset) => countAddresses([subset]) > maxCapacity);

interface Allowances {
  readonly endpointsTruncated: boolean;
  readonly mirrorTruncated: boolean;
}

function compareViews(inEndpoints: View, inSlices: View, tally: Tally, allowances: Allowances): Difference[] {
  const differences: Difference[] = [];
  for (const address of [...new Set([...inEndpoints.addresses.keys(), ...inSlices.addresses.keys()])].sort(compareText)) {
    const [endpointsPorts, slicesPorts] = [inEndpoints.addresses.get(address), inSlices.addresses.get(address)];
    if (endpointsPorts && slicesPorts) differences.push(...comparePorts(address, endpointsPorts, slicesPorts, tally, allowances));
    else if (endpointsPorts && allowances.mirrorTruncated) tally.add('NotMirrored', address);
    else if (endpointsPorts)
      differences.push(createDifference('MissingInSlices', { address, endpoints: readinessOf(bestEntryIn(endpointsPorts)) }));
    else if (slicesPorts && allowances.endpointsTruncated) tally.add('Truncated', address);
    else if (slicesPorts) {
      const best = bestEntryIn(slicesPorts);
      differences.push(createDifference('MissingInEndpoints', { address, slices: readinessOf(best), names: best.slices }));
    }
  }
  return [...differences, ...compareProtocols(inEndpoints, inSlices)];
}

type EntriesByPort = ReadonlyMap<string, EntriesByTarget>;

function comparePorts(
  address: string,
  inEndpoints: EntriesByPort,
  inSlices: EntriesByPort,
  tally: Tally,
  allowances: Allowances,
): Difference[] {
  const portsOnlyInEndpoints = [...inEndpoints.keys()].filter((port) => !inSlices.has(port));
  const portsOnlyInSlices = [...inSlices.keys()].filter((port) => !inEndpoints.has(port));
  if (portsOnlyInEndpoints.length > 0 && allowances.mirrorTruncated) tally.add('NotMirrored', address);
  if (portsOnlyInSlices.length > 0 && allowances.endpointsTruncated) tally.add('Truncated', address);
  const differences = new Map<string, Difference>();
  if (
    (portsOnlyInEndpoints.length > 0 && !allowances.mirrorTruncated) ||
    (portsOnlyInSlices.length > 0 && !allowances.endpointsTruncated)
  ) {
    const names = bestEntryIn(inSlices).slices;
    differences.set(
      'PortsDiffer',
      createDifference('PortsDiffer', { address, endpoints: printPorts(inEndpoints), slices: printPorts(inSlices), names }),
    );
  }
  for (const [port, entries] of inEndpoints) {
    const slicesEntries = inSlices.get(port);
    for (const difference of slicesEntries ? compareEntries(address, entries, slicesEntries, tally) : []) {
      if (!differences.has(difference.code)) differences.set(difference.code, difference);
    }
  }
  return [...differences.values()];
}

/**
 * Compares the entries of one port. Compares targets that both sides list and disregards other targets at the same address. If no target
 * is shared, compares the preferred entries.
 */
function compareEntries(address: string, inEndpoints: EntriesByTarget, inSlices: EntriesByTarget, tally: Tally): Difference[] {
  const sharedUIDs = [...inEndpoints.keys()].filter((uid) => inSlices.has(uid));
  if (sharedUIDs.length === 0)
    return compareTargetEntries(address, chooseBestEntry(inEndpoints.values()), chooseBestEntry(inSlices.values()), { sameTarget: false });
  if (sharedUIDs.length < Math.max(inEndpoints.size, inSlices.size)) tally.add('SharedAddress', address);
  return sharedUIDs.flatMap((uid) =>
    compareTargetEntries(address, inEndpoints.get(uid) as AddressEntry, inSlices.get(uid) as AddressEntry, { sameTarget: true }),
  );
}

function compareTargetEntries(
  address: string,
  endpointsEntry: AddressEntry,
  slicesEntry: AddressEntry,
  { sameTarget }: { readonly sameTarget: boolean },
): Difference[] {
  const rows = [
    {
      code: 'ReadinessDiffers',
      endpoints: readinessOf({ ...endpointsEntry, terminating: false }),
      slices: readinessOf({ ...slicesEntry, terminating: false }),
    },
    {
      code: 'TargetDiffers',
      endpoints: targetOf(endpointsEntry.targetRef, sameTarget),
      slices: targetOf(slicesEntry.targetRef, sameTarget),
    },
    { code: 'NodeDiffers', endpoints: describeValue('node', endpointsEntry.nodeName), slices: describeValue('node', slicesEntry.nodeName) },
    {
      code: 'HostnameDiffers',
      endpoints: describeValue('host name', endpointsEntry.hostname),
      slices: describeValue('host name', slicesEntry.hostname),
    },
  ] as const;
  return rows
    .filter(({ code, endpoints, slices }) => endpoints !== slices && (sameTarget || codesComparedAcrossTargets.includes(code)))
    .map(({ code, ...values }) => createDifference(code, { address, ...values, names: slicesEntry.slices }));
}

/** Codes that are compared even if the targets differ, because they concern the address and not its target. */
const codesComparedAcrossTargets: readonly string[] = ['ReadinessDiffers', 'TargetDiffers'];

function compareProtocols(inEndpoints: View, inSlices: View): Difference[] {
  const differences: Difference[] = [];
  for (const port of [...inEndpoints.appProtocols.keys()].sort(compareText)) {
    const [endpointsProtocols, slicesProtocols] = [inEndpoints.appProtocols.get(port), inSlices.appProtocols.get(port)].map((set) =>
      [...(set ?? [])].sort(compareText).join(', '),
    );
    if (!inSlices.appProtocols.has(port) || endpointsProtocols === slicesProtocols) continue;
    const values = {
      endpoints: describeValue('application protocol', endpointsProtocols),
      slices: describeValue('application protocol', slicesProtocols),
    };
    differences.push(createDifference('AppProtocolDiffers', { port, ...values }));
  }
  return differences;
}

const bestEntryIn = (ports: EntriesByPort): AddressEntry =>
  chooseBestEntry([...ports.values()].flatMap((entries) => [...entries.values()]));

const readinessOf = ({ ready, terminating }: Pick<AddressEntry, 'ready' | 'terminating'>): string =>
  `${ready ? 'ready' : 'not ready'}${terminating ? ' and terminating' : ''}`;

/** Describes a target by kind and name, and by UID if the compared targets differ. */
function targetOf(target: TargetRef | undefined, sameTarget: boolean): string {
  if (!target) return 'no target';
  const { kind, namespace, name, uid } = target;
  return `${kind ?? 'object'} ${namespace ?? ''}/${name ?? ''}${sameTarget ? '' : ` (UID ${uid ?? 'unknown'})`}`;
}

const describeValue = (label: string, value: string | undefined): string => (value ? `${label} "${value}"` : `no ${label}`);

const printPorts = (ports: EntriesByPort): string => [...ports.keys()].sort(compareText).join(', ');
