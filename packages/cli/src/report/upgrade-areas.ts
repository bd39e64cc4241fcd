import { compareRecords, coreDNSReleases, dnsGates } from 'kube-endpoints/dns';
import { firstProxyMinor, formatCount, parseRelease } from 'kube-endpoints/internal';
import { nameOf, namespaceOf, objectKey } from 'kube-endpoints/internal/apimachinery';
import { type BalancedNode, type BalancedService, compareLoadBalancers, loadBalancerGates } from 'kube-endpoints/load-balancer';
import { compareProxies, proxyGates } from 'kube-endpoints/proxy';
import { compareReadiness, readinessGates } from 'kube-endpoints/readiness';
import type { Release } from '../flags/common.ts';
import type { Inventory } from '../input/collection.ts';
import type { Scope } from '../input/scope.ts';
import { createDnsInput } from './dns-objects.ts';
import { chooseFamily, createProxyNode, selectProxyObjects } from './proxy-objects.ts';

/** Something besides Endpoints and slices that is different in the new release. */
export interface AreaChange {
  readonly area: 'readiness' | 'load balancer' | 'DNS' | 'traffic' | 'rules' | 'deprecation';
  /** "shop/web", the name of a pod, a record, or a mode of kube-proxy. */
  readonly object: string;
  /** "Ready True -> False" */
  readonly change: string;
  readonly causes: readonly ChangeCause[];
}

/** The change of upstream that causes a difference. */
export interface ChangeCause {
  readonly name: string;
  /** The release of Kubernetes, for DNS of CoreDNS, with the change. */
  readonly since: string;
  /** The pull request, if known. */
  readonly reference?: string | undefined;
  readonly summary: string;
}

export interface UpgradeInput {
  readonly scope: Scope;
  /** All objects, because kube-proxy and CoreDNS serve all namespaces. */
  readonly inventory: Inventory;
  /** Whether the objects come from a cluster. */
  readonly live: boolean;
  readonly from: Release;
  readonly to: Release;
  /** The node whose rules are compared; the first node of the input by default. */
  readonly node?: string | undefined;
}

/** Compares everything except Endpoints and slices, and lists what becomes deprecated. */
export const compareAreas = (input: UpgradeInput): AreaChange[] => [
  ...compareConditions(input),
  ...compareServiceController(input),
  ...compareNames(input),
  ...compareNode(input),
  ...listDeprecations(input),
];

const compareConditions = ({ scope, from, to }: UpgradeInput): AreaChange[] => {
  const pods = new Map(scope.services.flatMap((service) => scope.podsSelectedBy(service)).map((pod) => [objectKey(pod), pod]));
  return [...pods].flatMap(([key, pod]) =>
    compareReadiness(pod, from, to).map(({ condition, before, after, gates }) => ({
      area: 'readiness',
      object: `pod ${key}`,
      change: `${condition} ${before} -> ${after}`,
      causes: causesOf(gates, readinessGates),
    })),
  );
};

const compareServiceController = ({ scope, from, to }: UpgradeInput): AreaChange[] =>
  scope.services.flatMap((service) =>
    compareLoadBalancers(service as BalancedService, scope.nodes as readonly BalancedNode[] | undefined, from, to).map(
      ({ what, before, after, gates }) => ({
        area: 'load balancer',
        object: objectKey(service),
        change: `${what} ${listOf(before)} -> ${listOf(after)}`,
        causes: causesOf(gates, loadBalancerGates),
      }),
    ),
  );

/** Compares the records of the CoreDNS releases that kubeadm installs; nothing if one of them is unknown. */
function compareNames({ scope, inventory, live, from, to }: UpgradeInput): AreaChange[] {
  const [older, newer] = [from, to].map(({ version }) => coreDNSReleases[minorVersionOf(version)]);
  if (older === undefined || newer === undefined || older === newer) return [];
  const services = scope.services.map((service) => `.${nameOf(service)}.${namespaceOf(service)}.svc.cluster.local.`);
  // Files often lack the Namespaces of their Services, without which Services have no records.
  const namespaces = [...new Set(scope.services.map(namespaceOf))].map((name) => ({ metadata: { name } }));
  return compareRecords({ ...createDnsInput(inventory, live).objects, namespaces }, older, newer)
    .filter(({ record }) => services.some((suffix) => `.${record.split(' ')[0]}`.endsWith(suffix)))
    .map(({ change, record, gates }) => ({
      area: 'DNS',
      object: record,
      change: `${change} by CoreDNS ${older} -> ${newer}`,
      causes: causesOf(gates, dnsGates),
    }));
}

/** Says which areas are not compared, and why. */
export function listUncomparedAreas({ inventory, from, to, node = firstNodeOf(inventory) }: UpgradeInput): string[] {
  const withoutCoreDNS = [from, to].find(({ version }) => coreDNSReleases[minorVersionOf(version)] === undefined);
  const withoutRules = [from, to].find((release) => !hasProxyRules(release));
  const proxyProblem = withoutRules
    ? `the rules of Kubernetes ${minorVersionOf(withoutRules.version)} are not specified, only from 1.${firstProxyMinor} on`
    : 'the input has no Nodes';
  return [
    ...(withoutCoreDNS
      ? [`DNS records are not compared: no release of CoreDNS is specified for Kubernetes ${minorVersionOf(withoutCoreDNS.version)}.`]
      : []),
    ...(withoutRules || node === undefined ? [`Traffic and rules of kube-proxy are not compared: ${proxyProblem}.`] : []),
  ];
}

/** "1.36" of "1.36.3" */
const minorVersionOf = (version: string): string => `1.${parseRelease(version).minor}`;

/** Compares traffic and rules on one node; nothing without Nodes, or if a release's kube-proxy is not specified. */
function compareNode({ scope, inventory, live, from, to, node: name = firstNodeOf(inventory) }: UpgradeInput): AreaChange[] {
  if (name === undefined || !hasProxyRules(from) || !hasProxyRules(to)) return [];
  const node = createProxyNode(inventory, { node: name, localhostNodePorts: true }, to);
  const { traffic, rules } = compareProxies(selectProxyObjects(inventory, live, to, [from, to]), node, {
    from,
    to,
    family: chooseFamily(node, { node: name }),
  });
  const services = new Set(scope.services.map(objectKey));
  return [
    ...traffic
      .filter(({ port }) => services.has(port.split(/[: ]/)[0] ?? ''))
      .map(
        ({ port, before, after, gates }): AreaChange => ({
          area: 'traffic',
          object: `${port} from ${name}`,
          change: `${listOf(before)} -> ${listOf(after)}`,
          causes: causesOf(gates, proxyGates),
        }),
      ),
    ...rules.map(
      ({ mode, removed, added, gates }): AreaChange => ({
        area: 'rules',
        object: `${mode} on ${name}`,
        change: `${formatCount(removed, 'line')} removed, ${added} added`,
        causes: causesOf(gates, proxyGates),
      }),
    ),
  ];
}

const hasProxyRules = ({ version }: Release): boolean => parseRelease(version).minor >= firstProxyMinor;

const firstNodeOf = ({ nodes }: Inventory): string | undefined => nodes?.map(nameOf).sort()[0];

const maxListedNames = 3;

const enumerate = (names: readonly string[]): string =>
  names.length > maxListedNames
    ? `${names.slice(0, maxListedNames).join(', ')} and ${formatCount(names.length - maxListedNames, 'other')}`
    : names.join(', ');

const listOf = (names: readonly string[]): string => names.join(', ') || 'none';

function causesOf<Name extends string>(
  names: readonly Name[],
  table: Readonly<Record<Name, { readonly since: string; readonly reference?: string; readonly summary: string }>>,
): ChangeCause[] {
  return names.map((name) => ({ name, since: table[name].since, reference: table[name].reference, summary: table[name].summary }));
}

interface Deprecation extends ChangeCause {
  /** The minor release of Kubernetes. */
  readonly minor: number;
  /** Lists the objects that use it. */
  readonly users: (input: UpgradeInput) => readonly string[];
}

/** What Kubernetes has deprecated, sorted by release. */
const deprecations: readonly Deprecation[] = [
  {
    name: 'Endpoints',
    minor: 33,
    since: '1.33.0',
    reference: '#130098',
    summary: 'The API of Endpoints is deprecated, but not removed: clients should read EndpointSlices.',
    users: ({ scope }) => scope.endpoints.map((endpoints) => `Endpoints ${objectKey(endpoints)}`),
  },
  {
    name: 'ipvs',
    minor: 35,
    since: '1.35.0',
    reference: '#134539',
    summary: 'The mode ipvs of kube-proxy is deprecated and will be removed: use nftables.',
    users: () => ['kube-proxy --proxy-mode=ipvs, if used'],
  },
  {
    name: 'externalIPs',
    minor: 36,
    since: '1.36.0',
    reference: '#137293',
    summary: 'The field externalIPs of Services is deprecated: use a load balancer.',
    users: ({ scope }) =>
      (scope.services as readonly BalancedService[])
        .filter(({ spec }) => ((spec as { readonly externalIPs?: readonly string[] } | undefined)?.externalIPs ?? []).length > 0)
        .map((service) => `Service ${objectKey(service)}`),
  },
];

const listDeprecations = (input: UpgradeInput): AreaChange[] => {
  const [older, newer] = [parseRelease(input.from.version).minor, parseRelease(input.to.version).minor];
  return deprecations
    .filter(({ minor }) => older < minor && minor <= newer)
    .flatMap(({ minor: _, users, ...cause }) => {
      const names = users(input);
      const change = `deprecated since ${cause.since}`;
      return names.length === 0 ? [] : [{ area: 'deprecation' as const, object: enumerate(names), change, causes: [cause] }];
    });
};
