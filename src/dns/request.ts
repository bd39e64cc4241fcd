import type { DnsProfile } from './gates.ts';
import { splitLabels, toLowerAscii } from './name.ts';
import { createReason, type DnsReason } from './reasons.ts';
import { bucketKey } from './store.ts';

/** The parts of a name below a zone, in lower case. Absent parts are empty. Mirrors `recordRequest` of CoreDNS. */
export interface NameRequest {
  /** "" for the zone itself and for "svc" and "pod" directly below it, which exist without records. */
  readonly tree: '' | 'svc' | 'pod';
  readonly namespace: string;
  /** Name of a Service, or a pod's address with dashes. */
  readonly service: string;
  /** The `Store` key of namespace and Service. */
  readonly key: string;
  readonly endpoint: string;
  /** Undefined if the name has no port and protocol labels. */
  readonly ports: RequestedPort | undefined;
}

export interface RequestedPort {
  readonly port: string;
  readonly protocol: string;
}

/** A queried name. */
export interface QueryName {
  /** Absolute, in the letter case of the question. */
  readonly name: string;
  readonly lower: string;
  /** The zone, in the letter case of the question, as owners of records show it. */
  readonly zone: string;
  /** The part before the zone, in lower case. */
  readonly base: string;
}

/** Parses a queried name; returns a reason if the name cannot exist. Mirrors parseRequest (CoreDNS 1.14, plugin/kubernetes/parse.go). */
export function parseRequest({ name, base, zone }: QueryName): NameRequest | DnsReason {
  if (base === '' || base === 'svc' || base === 'pod') return { ...emptyRequest, tree: '' };
  const labels = splitLabels(base);
  const { length } = labels;
  const tree = labels[length - 1] as string;
  if (tree !== 'svc' && tree !== 'pod') return createReason('NameNotOfCluster', { label: tree, zone });
  if (length > 5) return createReason('NameTooDeep', { name, count: String(length - 3) });
  const namespace = labels[length - 2] as string;
  const service = length > 2 ? (labels[length - 3] as string) : '';
  const key = bucketKey(namespace, service);
  if (length < 5) return { tree, namespace, service, key, endpoint: length === 4 ? (labels[0] as string) : '', ports: undefined };
  const [port, protocol] = [stripUnderscore(labels[0] as string), stripUnderscore(labels[1] as string)];
  return { tree, namespace, service, key, endpoint: '', ports: { port, protocol } };
}

export const isReason = (parsed: NameRequest | DnsReason): parsed is DnsReason => 'code' in parsed;

/** Whether a label is a wildcard (up to CoreDNS 1.8). */
export const isWildcard = (label: string, gates: DnsProfile): boolean => !gates.wildcardsRemoved && (label === '*' || label === 'any');

/**
 * Whether a queried label, in lower case, matches a name. Mirrors match (CoreDNS 1.8 and 1.14, plugin/kubernetes/kubernetes.go). In 1.8 a
 * stored name can be a wildcard as well; that comparison is case-sensitive: "ANY" is a plain name.
 */
export const matchesName = (label: string, name: string, gates: DnsProfile): boolean =>
  label === name || isWildcard(label, gates) || isWildcard(name, gates) || label === toLowerAscii(name);

/** Whether the queried port labels match a port. Mirrors matchPortAndProtocol (CoreDNS 1.14). */
export function matchesPortAndProtocol(ports: RequestedPort, name: string, protocol: string, gates: DnsProfile): boolean {
  const matchesLabel = (label: string, value: string): boolean =>
    (label === '' && gates.wildcardsRemoved) || matchesName(label, value, gates);
  return matchesLabel(ports.port, name) && matchesLabel(ports.protocol, protocol);
}

const emptyRequest = { namespace: '', service: '', key: '', endpoint: '', ports: undefined };

const stripUnderscore = (label: string): string => (label.startsWith('_') ? label.slice(1) : label);
