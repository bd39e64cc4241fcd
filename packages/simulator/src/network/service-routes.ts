import { mergeSlices } from 'kube-endpoints';
import { zoneLabel } from 'kube-endpoints/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { createNodeView, type ProxyService } from 'kube-endpoints/proxy';
import type { EndpointSliceInput } from 'kube-endpoints/types';
import type { Route, ServiceState } from './router.ts';

/** The routes of a node's kube-proxy for one Service. */
export interface NodeRoutes {
  /** Connections from pods to the cluster IP. */
  readonly internal: readonly Route[];
  /** Connections from outside to node ports and load balancer addresses. */
  readonly external: readonly Route[];
}

export interface NodeIdentity {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Computes the routes of kube-proxies. Nodes with the same result share it. */
export type ComputeNodeRoutes = (state: ServiceState, node: NodeIdentity) => NodeRoutes;

/**
 * Creates a function that remembers its newest results, and so computes them once for all nodes with the same view.
 * @param version the release of kube-proxy; by default, the newest one
 */
export function createNodeRoutes(version?: string): ComputeNodeRoutes {
  const factsOf = createObjectFacts();
  const results = new Map<string, NodeRoutes>();
  return (state, node) => {
    const facts = [state.service, ...state.slices].map(factsOf);
    const key = `${facts.map(({ id }) => id).join()} ${scopeOf(facts, node)}`;
    const known = results.get(key);
    if (known) return known;
    const routes = computeNodeRoutes(state, node, version);
    results.set(key, routes);
    if (results.size > maxResults) results.delete(results.keys().next().value as string);
    return routes;
  };
}

const maxResults = 2000;

interface ObjectFacts {
  /** Unique for each version of an object. */
  readonly id: number;
  /** What the routes that the object implies depend on. */
  readonly dependsOn: 'node' | 'zone' | undefined;
}

function createObjectFacts(): (object: ApiObject) => ObjectFacts {
  const known = new WeakMap<ApiObject, ObjectFacts>();
  let count = 0;
  return (object) => {
    const existing = known.get(object);
    if (existing) return existing;
    count += 1;
    const facts = { id: count, dependsOn: findDependency(object) };
    known.set(object, facts);
    return facts;
  };
}

/** Local policies and node hints depend on the node, zone hints on its zone. */
function findDependency(object: ApiObject): ObjectFacts['dependsOn'] {
  const { internalTrafficPolicy, externalTrafficPolicy } = (object as ProxyService).spec ?? {};
  if (internalTrafficPolicy === 'Local' || externalTrafficPolicy === 'Local') return 'node';
  const endpoints = (object as EndpointSliceInput).endpoints ?? [];
  if (endpoints.some(({ hints }) => hints?.forNodes)) return 'node';
  return endpoints.some(({ hints }) => hints?.forZones) ? 'zone' : undefined;
}

function scopeOf(facts: readonly ObjectFacts[], { name, labels }: NodeIdentity): string {
  if (facts.some(({ dependsOn }) => dependsOn === 'node')) return `node ${name}`;
  return facts.some(({ dependsOn }) => dependsOn === 'zone') ? `zone ${labels?.[zoneLabel]}` : '';
}

/** Uses the first family of the Service. */
function computeNodeRoutes({ service, slices }: ServiceState, node: NodeIdentity, version: string | undefined): NodeRoutes {
  const { clusterIP } = (service as ProxyService).spec ?? {};
  const family = clusterIP?.includes(':') ? 'IPv6' : 'IPv4';
  const { ports } = createNodeView({ services: [service as ProxyService], endpointSlices: slices as readonly EndpointSliceInput[] }, node, {
    family,
    ...(version !== undefined && { version }),
  });
  const routesBy = (policyLocal: 'internalPolicyLocal' | 'externalPolicyLocal'): Route[] =>
    ports.map((port) => ({ port: port.portName, addresses: listIPs((port[policyLocal] ? port.local : port.cluster) ?? []) }));
  return { internal: routesBy('internalPolicyLocal'), external: routesBy('externalPolicyLocal') };
}

const listIPs = (endpoints: readonly { readonly ip: string }[]): string[] => [...new Set(endpoints.map(({ ip }) => ip))].sort();

/**
 * The ready endpoints of a Service's ports, for components that follow slices without kube-proxy's rules: DNS, ingress proxies and load
 * balancers of pods.
 */
export function computeReadyRoutes({ service, slices }: ServiceState): readonly Route[] {
  const [merged] = mergeSlices(slices as readonly EndpointSliceInput[]).services;
  const ports = (service as ProxyService).spec?.ports ?? [];
  const names = ports.length > 0 ? ports.map(({ name }) => name ?? '') : [''];
  return names.map((name) => {
    const found = ports.length > 0 ? merged?.ports.filter((port) => port.name === name) : merged?.portless;
    const ready = (found ?? []).flatMap(({ endpoints }) => endpoints.filter((endpoint) => endpoint.ready));
    return { port: name, addresses: [...new Set(ready.map(({ address }) => address))].sort() };
  });
}
