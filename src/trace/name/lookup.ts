import { namespaceOf } from '../../apimachinery/index.ts';
import type { ParsedRequest } from '../../dns/grammar.ts';
import { type ClusterZone, createClusterZone, type DnsConfig, type DnsRecord, parseName } from '../../dns/index.ts';
import type { DnsNamespace } from '../../dns/objects.ts';
import type { DnsReason } from '../../dns/reasons.ts';
import type { EndpointsInput } from '../../types/index.ts';
import type { Cluster } from '../cluster.ts';

/** A queried name with its result. */
export interface Attempt {
  /** Absolute. */
  readonly name: string;
  /** The parsed name, if it belongs to the cluster. */
  readonly request?: ParsedRequest;
  /** The parsed name at the end of a CNAME chain inside the cluster. */
  readonly finalRequest?: ParsedRequest;
  /** Records of all queried types. */
  readonly records: readonly DnsRecord[];
  /** The reason of the first queried type that has records, else of the first type. */
  readonly reason: DnsReason;
  /** The name outside of the cluster to which a CNAME leads; absent if the answer stays in the cluster. */
  readonly outsideName?: string;
  /** True if the cluster's DNS passes the query to another server. */
  readonly isForwarded: boolean;
}

/** The results of the names that a resolver queries. */
export interface NameLookup {
  /** The attempts in order, up to the first with records. */
  readonly attempts: readonly Attempt[];
  /** The attempt with records; absent if no name has records. */
  readonly successfulAttempt?: Attempt;
}

/** Queries one name after the other until one has records. Queries A and AAAA, or SRV for a service name. */
export function queryNames(names: readonly string[], zone: ClusterZone, config: DnsConfig): NameLookup {
  const attempts: Attempt[] = [];
  for (const name of names) {
    const attempt = queryName(name, zone, config);
    attempts.push(attempt);
    if (attempt.records.length > 0) return { attempts, successfulAttempt: attempt };
  }
  return { attempts };
}

/**
 * Creates a zone with the objects of a cluster. If the cluster lists no namespaces, the namespaces of its objects exist.
 * @param namespace the namespace of the client; always exists
 */
export function createZone(cluster: Cluster, namespace: string, config: DnsConfig): ClusterZone {
  const { services, pods, namespaces } = cluster.objects;
  const objects = {
    services,
    endpointSlices: cluster.slices,
    endpoints: listEndpoints(cluster),
    pods: config.pods === 'verified' ? pods : [],
    namespaces: [{ metadata: { name: namespace } }, ...(namespaces && namespaces.length > 0 ? namespaces : namespacesOf(cluster))],
  };
  return createClusterZone(config, { objects });
}

/** Computes Endpoints only if the zone reads them. */
function* listEndpoints({ objects, endpointsOf }: Cluster): Generator<EndpointsInput> {
  for (const service of objects.services) {
    const endpoints = endpointsOf(service);
    if (endpoints) yield endpoints;
  }
}

function namespacesOf({ objects, slices }: Cluster): readonly DnsNamespace[] {
  const names = new Set([...objects.services, ...objects.pods, ...slices].map(namespaceOf));
  return [...names].map((name) => ({ metadata: { name } }));
}

function queryName(name: string, zone: ClusterZone, config: DnsConfig): Attempt {
  const types = isSrvName(name) ? ['SRV'] : ['A', 'AAAA'];
  const answers = types.map((type) => zone.answer({ name, type }));
  const records = answers.flatMap(({ reply }) => (reply ? [...reply.answer, ...(isSrvName(name) ? reply.additional : [])] : []));
  const decisiveAnswer = answers.find(({ reply }) => (reply?.answer.length ?? 0) > 0) ?? answers[0];
  const { request } = parseName(name, config);
  const aliases = records.filter(({ type }) => type === 'CNAME');
  const lastAddressRecord = records.findLast(({ type }) => type === 'A' || type === 'AAAA');
  const finalRequest = aliases.length > 0 && lastAddressRecord ? parseName(lastAddressRecord.name, config).request : undefined;
  const outsideName = answers.find((answer) => answer.outside)?.outside?.name;
  return {
    name,
    ...(request && { request }),
    ...(finalRequest && { finalRequest }),
    records: [...new Map(records.map((record) => [JSON.stringify(record), record])).values()],
    reason: (decisiveAnswer as (typeof answers)[number]).reason,
    ...(outsideName !== undefined && { outsideName }),
    isForwarded: answers.every(({ reply }) => reply === undefined),
  };
}

/** Whether the name starts with port and protocol, as SRV names do: "_http._tcp.web.shop.svc.cluster.local". */
export const isSrvName = (name: string): boolean => /^_[^.]+\._[^.]+\./.test(name);
