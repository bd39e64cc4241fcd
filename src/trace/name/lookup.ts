import { namespaceOf } from '../../apimachinery/index.ts';
import type { ParsedRequest } from '../../dns/grammar.ts';
import { type ClusterZone, createClusterZone, type DnsConfig, type DnsRecord, parseName } from '../../dns/index.ts';
import type { DnsNamespace } from '../../dns/objects.ts';
import type { DnsReason } from '../../dns/reasons.ts';
import type { Cluster } from '../cluster.ts';

/** A name that was asked for, and what came of it. */
export interface Attempt {
  /** Absolute. */
  readonly name: string;
  /** What the name says, where it is one of the cluster's. */
  readonly request?: ParsedRequest;
  /** What the last name on the way says, where the first is another one's. */
  readonly final?: ParsedRequest;
  /** Of all types that were asked for. */
  readonly records: readonly DnsRecord[];
  /** Why: of the types that were asked for, the first that tells of something found. */
  readonly reason: DnsReason;
  /** The name outside of the cluster that the records lead to. */
  readonly outside?: string;
  /** Whether the cluster's DNS leaves it to others. */
  readonly isOfOthers: boolean;
}

/** What became of the names that a resolver asked for. */
export interface Lookup {
  /** In order, up to the first that leads somewhere. */
  readonly attempts: readonly Attempt[];
  /** The one that leads somewhere. */
  readonly found?: Attempt;
}

/** Asks for one name after the other until one leads somewhere, for addresses of both families or the places of a service. */
export function lookUp(names: readonly string[], zone: ClusterZone, config: DnsConfig): Lookup {
  const attempts: Attempt[] = [];
  for (const name of names) {
    const attempt = ask(name, zone, config);
    attempts.push(attempt);
    if (attempt.records.length > 0) return { attempts, found: attempt };
  }
  return { attempts };
}

/**
 * A zone with what a cluster holds. Where nothing is known of namespaces, those that objects are in are there.
 * @param namespace the one that is asked from, which there must be
 */
export function zoneOf(cluster: Cluster, namespace: string, config: DnsConfig): ClusterZone {
  const { services, pods, namespaces } = cluster.objects;
  const objects = {
    services,
    endpointSlices: cluster.slices,
    pods: config.pods === 'verified' ? pods : [],
    namespaces: [{ metadata: { name: namespace } }, ...(namespaces && namespaces.length > 0 ? namespaces : namespacesOf(cluster))],
  };
  return createClusterZone(config, { objects });
}

function namespacesOf({ objects, slices }: Cluster): readonly DnsNamespace[] {
  const names = new Set([...objects.services, ...objects.pods, ...slices].map(namespaceOf));
  return [...names].map((name) => ({ metadata: { name } }));
}

function ask(name: string, zone: ClusterZone, config: DnsConfig): Attempt {
  const types = isOfService(name) ? ['SRV'] : ['A', 'AAAA'];
  const answers = types.map((type) => zone.answer({ name, type }));
  const records = answers.flatMap(({ reply }) => (reply ? [...reply.answer, ...(isOfService(name) ? reply.additional : [])] : []));
  const telling = answers.find(({ reply }) => (reply?.answer.length ?? 0) > 0) ?? answers[0];
  const { request } = parseName(name, config);
  const aliases = records.filter(({ type }) => type === 'CNAME');
  const last = records.findLast(({ type }) => type === 'A' || type === 'AAAA');
  const final = aliases.length > 0 && last ? parseName(last.name, config).request : undefined;
  const outside = answers.find((answer) => answer.outside)?.outside?.name;
  return {
    name,
    ...(request && { request }),
    ...(final && { final }),
    records: [...new Map(records.map((record) => [JSON.stringify(record), record])).values()],
    reason: (telling as (typeof answers)[number]).reason,
    ...(outside !== undefined && { outside }),
    isOfOthers: answers.every(({ reply }) => reply === undefined),
  };
}

/** "_http._tcp.web.shop.svc.cluster.local": what SRV records are asked for by. */
export const isOfService = (name: string): boolean => /^_[^.]+\._[^.]+\./.test(name);
