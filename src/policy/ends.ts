import { canonicalIP, type IP, type Labels, nameOf, objectKey, parseIP, readCanonicalIP } from '../apimachinery/index.ts';
import type { Pod } from '../types/index.ts';
import type { PolicyNode, PolicyObjects } from './objects.ts';

/** An end of a connection: a pod, an address, or a pod with one of its addresses. */
export interface TrafficEnd {
  /** "namespace/name" of one of the pods. */
  readonly pod?: string;
  /** If absent, the first address of the pod in a family that the other end also has; if there is none, its first address. */
  readonly ip?: string;
}

/** An end with its pod and its address, as far as they are known. */
export interface End {
  /** For messages: "Pod shop/db", "10.0.0.7". */
  readonly text: string;
  readonly pod: Pod | undefined;
  readonly isHostNetwork: boolean;
  readonly ip: IP | undefined;
}

/** The objects, indexed. */
export interface World {
  readonly pods: ReadonlyMap<string, Pod>;
  /** The labels of namespaces by name, with the label that an API server sets. */
  readonly namespaces: ReadonlyMap<string, Labels>;
  /** Undefined if unknown. */
  readonly nodes: readonly PolicyNode[] | undefined;
}

/** The label with its name, which an API server sets on every namespace. */
export const namespaceNameLabel = 'kubernetes.io/metadata.name';

export function createWorld({ pods = [], namespaces = [], nodes }: PolicyObjects): World {
  return {
    pods: new Map(Array.from(pods, (pod) => [objectKey(pod), pod])),
    namespaces: new Map(Array.from(namespaces, (each) => [nameOf(each), { ...each.metadata?.labels, [namespaceNameLabel]: nameOf(each) }])),
    nodes: nodes && [...nodes],
  };
}

/**
 * Resolves both ends of a connection.
 * @throws RangeError if an end names no pod of the world, or an invalid or ambiguous address, or if the addresses have different families
 */
export function resolveEnds(from: TrafficEnd, to: TrafficEnd, world: World): { readonly from: End; readonly to: End } {
  const [fromIP, toIP] = [readIP(from, 'from'), readIP(to, 'to')];
  if (fromIP && toIP && fromIP.family !== toIP.family) throw new RangeError('from.ip and to.ip have to be of the same IP family');
  const [fromPod, toPod] = [findPod(from, fromIP, 'from', world), findPod(to, toIP, 'to', world)];
  const [fromIPs, toIPs] = [fromIP ? [fromIP] : addressesOf(fromPod), toIP ? [toIP] : addressesOf(toPod)];
  const family = toIPs.find((ip) => fromIPs.some((other) => other.family === ip.family))?.family;
  const pick = (ips: readonly IP[]): IP | undefined => ips.find((ip) => ip.family === family) ?? ips[0];
  return { from: createEnd(from, fromPod, pick(fromIPs)), to: createEnd(to, toPod, pick(toIPs)) };
}

/** Whether an end is an address of the node of a pod, or a pod on the host network of that node. */
export function isOnNodeOf({ pod: other, isHostNetwork, ip }: End, { pod }: End, { nodes = [] }: World): boolean {
  if (!pod || (other && !isHostNetwork)) return false;
  const nodeName = pod.spec?.nodeName;
  if (other && nodeName && other.spec?.nodeName === nodeName) return true;
  const node = nodeName ? nodes.find((each) => nameOf(each) === nodeName) : undefined;
  const texts = [...hostAddressesOf(pod), ...(node?.status?.addresses ?? []).map(({ address }) => address)];
  return ip !== undefined && parseAddresses(texts).some((each) => isSameIP(each, ip));
}

/** Whether an address is one of a node's. */
export const hasAddress = (node: PolicyNode, ip: IP): boolean =>
  parseAddresses((node.status?.addresses ?? []).map(({ address }) => address)).some((each) => isSameIP(each, ip));

const isSameIP = (a: IP, b: IP): boolean => a.family === b.family && a.value === b.value;

const createEnd = ({ ip: text }: TrafficEnd, pod: Pod | undefined, ip: IP | undefined): End => ({
  text: pod ? `Pod ${objectKey(pod)}` : (text as string),
  pod,
  isHostNetwork: pod?.spec?.hostNetwork === true,
  ip,
});

function readIP({ ip, pod }: TrafficEnd, field: string): IP | undefined {
  if (ip === undefined) {
    if (pod === undefined) throw new RangeError(`${field} has to have the field pod or ip`);
    return undefined;
  }
  const parsed = parseIP(ip);
  if (!parsed) throw new RangeError(`${field}.ip is ${JSON.stringify(ip)}, but has to be an IP address`);
  return parsed;
}

/** The pod that an end names, or the only running one with its address. Pods on the host network share the address of their node. */
function findPod({ pod: key, ip: text }: TrafficEnd, ip: IP | undefined, field: string, { pods }: World): Pod | undefined {
  if (key !== undefined) {
    const pod = pods.get(key);
    if (!pod) throw new RangeError(`${field}.pod is ${JSON.stringify(key)}, but has to be "namespace/name" of one of the pods`);
    return pod;
  }
  const matches = [...pods.values()].filter(
    (pod) => pod.spec?.hostNetwork !== true && !isTerminal(pod) && addressesOf(pod).some((each) => ip && isSameIP(each, ip)),
  );
  if (matches.length <= 1) return matches[0];
  const names = matches.map(objectKey).sort().join(', ');
  throw new RangeError(`${field}.ip ${text} is the address of several pods: pass the field pod with one of ${names}`);
}

const isTerminal = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

function addressesOf(pod: Pod | undefined): IP[] {
  if (!pod) return [];
  const { podIP, podIPs } = pod.status ?? {};
  const own = parseAddresses([...(podIPs ?? []).map(({ ip }) => ip), podIP]);
  return own.length === 0 && pod.spec?.hostNetwork ? parseAddresses(hostAddressesOf(pod)) : own;
}

const hostAddressesOf = ({ status }: Pod): (string | null | undefined)[] => [
  ...(status?.hostIPs ?? []).map(({ ip }) => ip),
  status?.hostIP,
];

/** Parses addresses; leaves out other texts. */
const parseAddresses = (texts: readonly (string | null | undefined)[]): IP[] =>
  texts.flatMap((text) => {
    const canonical = text ? canonicalIP(text) : undefined;
    return canonical === undefined ? [] : readCanonicalIP(canonical);
  });
