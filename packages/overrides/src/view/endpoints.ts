import { repackSubsets } from 'kube-endpoints';
import type {
  EndpointAddress,
  EndpointAddressInput,
  EndpointPortInput,
  EndpointSubset,
  EndpointSubsetInput,
  EndpointsInput,
  ObjectReference,
  TargetRef,
} from 'kube-endpoints/types';
import type { Entry, View } from './view.ts';

/** Endpoints in the API's canonical order, with the ports of each address. */
export interface EndpointsView extends View {
  readonly kind: 'Endpoints';
  readonly addresses: readonly EndpointAddressInput[];
  /** By port index: all ports of a single subset, or one port per index. */
  readonly ports: readonly (readonly EndpointPortInput[])[];
}

/** @param separatePorts whether each port of an address is a separate entry, as several subsets require */
export function readEndpoints({ subsets }: EndpointsInput, separatePorts: boolean): EndpointsView {
  const sortedView = separatePorts ? undefined : readSortedSubset(subsets?.[0]);
  return sortedView ?? readPortsSeparately(repackSubsets(subsets ?? []));
}

/** Reads a single subset; undefined if its addresses are not sorted or not unique. */
function readSortedSubset(subset: EndpointSubsetInput | undefined): EndpointsView | undefined {
  const view = createView({ hasSeparatePorts: false });
  if (!subset) return view;
  view.ports.push(subset.ports ?? []);
  view.portNames.push('');
  const [ready, notReady] = [subset.addresses ?? [], subset.notReadyAddresses ?? []];
  let previous: EndpointAddressInput | undefined;
  for (let i = 0, j = 0; i < ready.length || j < notReady.length; ) {
    const isReady = j >= notReady.length || (i < ready.length && isBefore(ready[i], notReady[j]));
    const address = (isReady ? ready[i++] : notReady[j++]) as EndpointAddressInput;
    if (previous && !isBefore(previous, address)) return undefined;
    addEntry(view, address, { ready: isReady, port: 0 });
    previous = address;
  }
  return view;
}

/** Compares by IP as text, then by the target's UID: the API's order of addresses. */
function isBefore(a: EndpointAddressInput | undefined, b: EndpointAddressInput | undefined): boolean {
  const [firstIP, secondIP] = [a?.ip ?? '', b?.ip ?? ''];
  return firstIP === secondIP ? (a?.targetRef?.uid ?? '') < (b?.targetRef?.uid ?? '') : firstIP < secondIP;
}

function readPortsSeparately(subsets: readonly EndpointSubset[]): EndpointsView {
  const view = createView({ hasSeparatePorts: true });
  for (const { addresses, notReadyAddresses, ports } of subsets) {
    for (const port of ports?.length ? ports : [undefined]) {
      const index = view.ports.push(port ? [port] : []) - 1;
      view.portNames.push(port?.name ?? '');
      for (const address of addresses ?? []) addEntry(view, address, { ready: true, port: index });
      for (const address of notReadyAddresses ?? []) addEntry(view, address, { ready: false, port: index });
    }
  }
  return view;
}

interface MutableEndpointsView extends EndpointsView {
  readonly entries: Entry[];
  readonly portNames: string[];
  readonly addresses: EndpointAddressInput[];
  readonly ports: (readonly EndpointPortInput[])[];
}

const createView = ({ hasSeparatePorts }: Pick<View, 'hasSeparatePorts'>): MutableEndpointsView => ({
  kind: 'Endpoints',
  hasSeparatePorts,
  entries: [],
  portNames: [],
  addresses: [],
  ports: [],
});

function addEntry(
  { entries, addresses, portNames }: MutableEndpointsView,
  address: EndpointAddressInput,
  { ready, port }: { ready: boolean; port: number },
): void {
  entries.push({
    ip: address.ip ?? '',
    index: entries.length,
    portIndex: port,
    portName: portNames[port] ?? '',
    targetRef: address.targetRef,
    hostname: address.hostname,
    nodeName: address.nodeName,
    zone: undefined,
    intendedReady: ready,
    terminating: false,
    ready,
    isExcluded: false,
    removal: undefined,
    ipNumber: undefined,
  });
  addresses.push(address);
}

/** Builds subsets from entries, in the API's canonical order. Shares nothing with the input. */
export function writeEndpoints({ entries, addresses, ports, hasSeparatePorts }: EndpointsView): EndpointSubset[] {
  const subsets = ports.map((list) => ({ addresses: [] as EndpointAddress[], notReadyAddresses: [] as EndpointAddress[], ports: list }));
  for (const { removal, ready, portIndex, index } of entries) {
    const subset = subsets[portIndex];
    if (removal || !subset) continue;
    (ready ? subset.addresses : subset.notReadyAddresses).push(copyAddress(addresses[index] as EndpointAddressInput));
  }
  const [onlySubset] = subsets;
  return onlySubset && !hasSeparatePorts ? repackPorts(onlySubset) : repackSubsets(subsets);
}

interface SubsetLists {
  readonly addresses: EndpointAddress[];
  readonly notReadyAddresses: EndpointAddress[];
  readonly ports: readonly EndpointPortInput[];
}

/**
 * Keeps addresses that are already sorted, since repacking them costs more than everything else. Repacks ports together with one address.
 */
function repackPorts({ addresses, notReadyAddresses, ports }: SubsetLists): EndpointSubset[] {
  const firstAddress = addresses[0] ?? notReadyAddresses[0];
  const [repackedSubset, ...others] = firstAddress ? repackSubsets([{ addresses: [firstAddress], ports }]) : [];
  if (!repackedSubset || others.length > 0) return firstAddress ? repackSubsets([{ addresses, notReadyAddresses, ports }]) : [];
  return [
    {
      ...(addresses.length > 0 && { addresses }),
      ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
      ...(repackedSubset.ports && { ports: repackedSubset.ports }),
    },
  ];
}

/** Copies field by field, with a fast path for the most frequent form, because it runs for every written address. */
function copyAddress({ ip, hostname, nodeName, targetRef }: EndpointAddressInput): EndpointAddress {
  if (typeof nodeName === 'string' && targetRef && !hostname) return { ip: ip ?? '', nodeName, targetRef: copyReference(targetRef) };
  const copy: EndpointAddress = { ip: ip ?? '' };
  if (hostname) copy.hostname = hostname;
  if (typeof nodeName === 'string') copy.nodeName = nodeName;
  if (targetRef) copy.targetRef = copyReference(targetRef);
  return copy;
}

function copyReference(reference: ObjectReference): TargetRef {
  const { kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath } = reference;
  if (kind && namespace && name && uid && !apiVersion && !resourceVersion && !fieldPath) return { kind, namespace, name, uid };
  const copy: TargetRef = {};
  for (const field of referenceFields) {
    const value = reference[field];
    if (value) copy[field] = value;
  }
  return copy;
}

const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;
