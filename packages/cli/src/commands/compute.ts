import { computeEndpoints } from 'kube-endpoints';
import { unmanagedBecause } from 'kube-endpoints/internal';
import type { EndpointAddress, Endpoints, Service } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import { formatEndpoints } from '../print/endpoints.ts';
import type { Style } from '../print/style.ts';
import { type Cell, cell, formatTable } from '../print/table.ts';
import { counted } from '../print/text.ts';
import type { Report } from '../report.ts';
import { nameOf, namespaceOf, type Scope } from '../scope.ts';

export interface ComputeOptions {
  readonly version: string;
  /** Whether more than one namespace may be in the result. */
  readonly allNamespaces: boolean;
  /** Whether one Service was asked for by its name: then its Endpoints stand alone. */
  readonly single: boolean;
}

interface Computed {
  readonly service: Service;
  /** Undefined where the controller leaves the Endpoints to others. */
  readonly endpoints: Endpoints | undefined;
}

/** `compute`: the Endpoints that a release's controller writes for each Service. */
export function compute(scope: Scope, options: ComputeOptions): Report {
  const computed = scope.services.map((service): Computed => {
    const endpoints = computeEndpoints(service, scope.podsOf(namespaceOf(service)), { version: options.version });
    return { service, endpoints };
  });
  return {
    found: false,
    text: (style) => (computed.length === 0 ? [] : table(computed, scope, options, style)),
    data() {
      const items = computed.flatMap(({ endpoints }) => endpoints ?? []);
      return options.single && items.length === 1 ? items[0] : { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items };
    },
    hints: unmanagedHints(scope.services, options.version, 'Endpoints'),
  };
}

function table(computed: readonly Computed[], scope: Scope, { allNamespaces }: ComputeOptions, style: Style): string[] {
  const headings = [
    ...(allNamespaces ? ['NAMESPACE'] : []),
    'NAME',
    ...(style.wide ? ['READY', 'NOT-READY', 'LEFT-OUT', 'SUBSETS'] : []),
    'ENDPOINTS',
  ];
  const rows = computed.map(({ service, endpoints }) => [
    ...(allNamespaces ? [cell(namespaceOf(service))] : []),
    cell(nameOf(service)),
    ...(style.wide ? counts(service, endpoints, scope) : []),
    endpoints ? cell(formatEndpoints(endpoints)) : cell('<unmanaged>', 'dim'),
  ]);
  return formatTable(headings, rows, { ...style, width: undefined });
}

function counts(service: Service, endpoints: Endpoints | undefined, scope: Scope): Cell[] {
  if (!endpoints) return ['', '', '', ''].map((text) => cell(text));
  const subsets = endpoints.subsets ?? [];
  const ready = podsIn(subsets.flatMap(({ addresses = [] }) => addresses));
  const all = podsIn(subsets.flatMap(({ addresses = [], notReadyAddresses = [] }) => [...addresses, ...notReadyAddresses]));
  const leftOut = scope.selectedBy(service).filter((pod) => !all.has(nameOf(pod))).length;
  return [cell(ready.size), cell(all.size - ready.size), cell(leftOut), cell(subsets.length)];
}

/** The names of the pods behind addresses; one that is in several subsets counts once. */
const podsIn = (addresses: readonly EndpointAddress[]): ReadonlySet<string | undefined> =>
  new Set(addresses.map(({ targetRef }) => targetRef?.name));

/** Tells of Services that the controller leaves alone. */
export function unmanagedHints(services: readonly Service[], version: string, objects: 'Endpoints' | 'EndpointSlices'): string[] {
  const profile = profileFor(version);
  const unmanaged = services.filter((service) => unmanagedBecause(service, profile)).length;
  if (unmanaged === 0) return [];
  return [`${counted(unmanaged, 'Service')} without a selector or of type ExternalName: the controller leaves the ${objects} to others.`];
}
