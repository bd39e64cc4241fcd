import type { DnsProfile } from './gates.ts';
import { labelsOf, lowered } from './name.ts';
import { type DnsReason, reasonOf } from './reasons.ts';
import { bucketKey } from './store.ts';

/** A name below a zone taken apart: `recordRequest` of CoreDNS. All in lower case; empty is what the name does not say. */
export interface NameRequest {
  /** "" for the zone itself and for "svc" and "pod" below it: they are there and hold nothing. */
  readonly tree: '' | 'svc' | 'pod';
  readonly namespace: string;
  /** Of a Service; of a pod its address with dashes. */
  readonly service: string;
  /** Namespace and Service as `Store` has them. */
  readonly key: string;
  readonly endpoint: string;
  /** Undefined where the name says no port and no protocol. */
  readonly ports: AskedPorts | undefined;
}

export interface AskedPorts {
  readonly port: string;
  readonly protocol: string;
}

/** A name that was asked for. */
export interface Asked {
  /** Absolute, in the letter case of the question. */
  readonly name: string;
  readonly lower: string;
  /** The zone, in the letter case of the question: owners of records have it so. */
  readonly zone: string;
  /** What is before the zone, in lower case. */
  readonly base: string;
}

/**
 * The request of a name, or why it asks for nothing that can be there. Mirrors parseRequest (CoreDNS 1.14,
 * plugin/kubernetes/parse.go).
 */
export function parseRequest({ name, base, zone }: Asked): NameRequest | DnsReason {
  if (base === '' || base === 'svc' || base === 'pod') return { ...blank, tree: '' };
  const labels = labelsOf(base);
  const { length } = labels;
  const tree = labels[length - 1] as string;
  if (tree !== 'svc' && tree !== 'pod') return reasonOf('NameNotOfCluster', { label: tree, zone });
  if (length > 5) return reasonOf('NameTooDeep', { name, count: String(length - 3) });
  const namespace = labels[length - 2] as string;
  const service = length > 2 ? (labels[length - 3] as string) : '';
  const key = bucketKey(namespace, service);
  if (length < 5) return { tree, namespace, service, key, endpoint: length === 4 ? (labels[0] as string) : '', ports: undefined };
  const [port, protocol] = [withoutUnderscore(labels[0] as string), withoutUnderscore(labels[1] as string)];
  return { tree, namespace, service, key, endpoint: '', ports: { port, protocol } };
}

export const isReason = (parsed: NameRequest | DnsReason): parsed is DnsReason => 'code' in parsed;

/** Whether a label stood for all there are: up to CoreDNS 1.8. */
export const isWild = (label: string, gates: DnsProfile): boolean => !gates.wildcardsGone && (label === '*' || label === 'any');

/**
 * Whether a label, in lower case, asks for a name. Mirrors match (CoreDNS 1.8 and 1.14, plugin/kubernetes/kubernetes.go): names can be
 * wildcards, too, in 1.8 and as they are written: "ANY" is a name.
 */
export const matches = (label: string, name: string, gates: DnsProfile): boolean =>
  label === name || isWild(label, gates) || isWild(name, gates) || label === lowered(name);

/** Whether a name asks for a port. Mirrors matchPortAndProtocol (CoreDNS 1.14). */
export function asksForPort(ports: AskedPorts, name: string, protocol: string, gates: DnsProfile): boolean {
  const asks = (label: string, value: string): boolean => (label === '' && gates.wildcardsGone) || matches(label, value, gates);
  return asks(ports.port, name) && asks(ports.protocol, protocol);
}

const blank = { namespace: '', service: '', key: '', endpoint: '', ports: undefined };

const withoutUnderscore = (label: string): string => (label.startsWith('_') ? label.slice(1) : label);
