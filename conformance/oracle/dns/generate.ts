import { isIP } from 'node:net';
import type { DnsNamespace, DnsService } from 'kube-endpoints/internal';
import type { Pod } from 'kube-endpoints/types';
import { createRandom, type Random } from '../random.ts';
import type { DnsCase } from './case.ts';
import { makeEndpoints, makeEndpointsQueries } from './generate-endpoints.ts';
import { drawUnusedAddress, namespaceNames, oddNames, oddNamespaces, type ServiceSketch } from './generate-names.ts';
import { withOddities } from './generate-odd.ts';
import { makeQueries } from './generate-queries.ts';
import { makePods, makeSlices } from './generate-slices.ts';

/** Generates random clusters with questions to their zones; deterministic for a seed. */
export function* generateDns(seed: number, count: number, from = 0): Generator<DnsCase> {
  for (let number = from; number < from + count; number++) {
    const { sketches, ...testCase } = makeCase(createRandom(seed, number, 9), `${seed}-dns-${number}`);
    yield withEndpoints(createRandom(seed, number, 10), testCase, sketches);
  }
}

/** Adds the Endpoints that old releases read, and questions about them. */
function withEndpoints(random: Random, testCase: Omit<DnsCase, 'endpointSliceApi'>, sketches: readonly ServiceSketch[]): DnsCase {
  const endpoints = makeEndpoints(random, sketches);
  const objects = { ...testCase.objects, endpoints };
  return {
    ...testCase,
    ...random.maybe(0.3, () => ({ endpointSliceApi: false })),
    objects,
    queries: [...testCase.queries, ...makeEndpointsQueries(random, testCase.zone, objects)],
  };
}

function makeCase(random: Random, id: string): DnsCase & { readonly sketches: readonly ServiceSketch[] } {
  const zone = random.chance(0.85) ? 'cluster.local.' : random.pick(['k8s.example.org.', 'local.', 'svc.cluster.local.', 'a.b.c.d.e.']);
  const sketches = makeSketches(random, zone);
  const slices = sketches.flatMap((sketch) => makeSlices(random, sketch));
  const objects = withOddities(random, {
    services: sketches.map(({ service }) => service),
    endpointSlices: random.shuffle(slices),
    endpoints: [],
    pods: [...sketches.flatMap((sketch) => makePods(random, sketch)), ...makeStrayPods(random)],
    namespaces: makeNamespaces(random, sketches),
  });
  const zones = random.maybe(0.18, () => random.pick(otherZones(zone)));
  return {
    sketches,
    id,
    zone,
    ...(zones && { zones }),
    podMode: random.pick(['disabled', 'insecure', 'insecure', 'verified', 'verified'] as const),
    endpointNameMode: random.chance(0.35),
    ttl: random.pick([5, 5, 30, 0, 3600, 300, 301]),
    ...random.maybe(0.12, () => ({
      namespaces: random.shuffle([...namespaceNames, random.pick(oddNamespaces)]).slice(0, 1 + random.int(2)),
    })),
    ...random.maybe(0.12, () => ({ ignoreEmptyService: true })),
    ...random.maybe(0.06, () => ({ noEndpoints: true })),
    ...random.maybe(0.12, () => ({ fallthrough: random.pick(fallthroughs(zone)) })),
    upstream,
    localIPs: makeLocalIPs(random, objects.endpointSlices),
    objects,
    queries: makeQueries(random, zone, sketches, objects),
    ...random.maybe(0.4, () => ({
      transfers: (zones ?? random.pick([[zone], [zone], [zone, 'in-addr.arpa.']])).filter(
        (name) => name !== '.' && name === name.toLowerCase(),
      ),
    })),
  };
}

/** Records outside the cluster. Services may refer to their names. */
const upstream: readonly string[] = [
  'db.example.com. 60 IN A 192.0.2.10',
  'db.example.com. 60 IN AAAA 2001:db8::10',
  'alias.example.com. 60 IN CNAME db.example.com.',
  'twice.example.com. 30 IN CNAME alias.example.com.',
  'broken.example.com. 30 IN CNAME nothing.example.com.',
  'six.example.com. 60 IN AAAA 2001:db8::66',
  'many.example.com. 20 IN A 192.0.2.11',
  'many.example.com. 20 IN A 192.0.2.12',
];

const otherZones = (zone: string): readonly (readonly string[])[] => [
  [zone],
  [zone, '10.in-addr.arpa.'],
  [zone, '0.10.in-addr.arpa.', '0.0.d.f.ip6.arpa.'],
  ['in-addr.arpa.', zone, 'ip6.arpa.'],
  [zone, 'other.example.'],
  ['other.example.', zone, 'in-addr.arpa.'],
  [zone, `svc.${zone}`, 'arpa.'],
  [`default.svc.${zone}`, zone, 'ip6.arpa.'],
  ['.'],
  [zone.toUpperCase().slice(0, -1), 'In-Addr.Arpa', 'ip6.arpa'],
  ['arpa.', zone],
  ['local.', zone, '0.0.10.in-addr.arpa.', '10.in-addr.arpa.'],
];

const fallthroughs = (zone: string): readonly (true | readonly string[])[] => [
  ...([
    true,
    true,
    [zone],
    ['in-addr.arpa.'],
    [`svc.${zone}`],
    ['.'],
    ['arpa.', `pod.${zone}`],
    [`web.default.svc.${zone}`],
    ['other.example.'],
  ] as const),
];

function makeLocalIPs(random: Random, slices: DnsCase['objects']['endpointSlices']): string[] {
  const allIPs = slices.flatMap(({ endpoints }) => (endpoints ?? []).flatMap(({ addresses }) => addresses ?? []));
  const ips = random.shuffle(allIPs.filter((ip) => isIP(ip) > 0 && !ip.includes('%'))).slice(0, random.pick([1, 1, 1, 2]));
  return random.pick([
    ips,
    ips,
    ips,
    [...ips, '10.9.9.9'],
    [...ips, ...ips],
    ['10.9.9.9'],
    ['10.9.9.9', 'fd00::99'],
    ['fd00::99'],
    ['FD00::0:99'],
    ['::ffff:10.9.9.9'],
    [],
  ]);
}

/** Creates most of the namespaces; some have names that are words of the grammar. */
function makeNamespaces(random: Random, sketches: readonly ServiceSketch[]): DnsNamespace[] {
  const odd = oddNamespaces.filter((name) => random.chance(sketches.some(({ namespace }) => namespace === name) ? 0.8 : 0.05));
  return [...namespaceNames.filter(() => random.chance(0.95)), ...odd].map((name) => ({ metadata: { name } }));
}

/** Creates up to two pods of no Service, with the same IP. */
function makeStrayPods(random: Random): Pod[] {
  if (random.chance(0.6)) return [];
  const podIP = drawUnusedAddress(random, 'IPv4', new Set());
  const namespace = random.pick(namespaceNames);
  return ['lonely', 'twin'].slice(0, 1 + random.int(2)).map((name) => ({
    metadata: { name, namespace },
    status: { phase: random.pick(['Running', 'Running', 'Pending', 'Failed']), podIP, podIPs: [{ ip: podIP }] },
  }));
}

function makeSketches(random: Random, zone: string): ServiceSketch[] {
  const usedIPs = new Set<string>();
  const names = new Set<string>();
  const sketches: ServiceSketch[] = [];
  for (let remaining = random.int(7); remaining > 0; remaining--) {
    const namespace = random.chance(0.07) ? random.pick(['gone', ...oddNamespaces]) : random.pick(namespaceNames);
    const commonNames = ['web', 'db', 'api', 'cache', 'kube-dns', 'pod', 'svc', 'any', 'tcp', 'default', `s${remaining}`, `s${remaining}`];
    const name = random.pick(random.chance(0.08) ? oddNames : commonNames);
    if (names.has(`${namespace}/${name}`)) continue;
    names.add(`${namespace}/${name}`);
    sketches.push(random.chance(0.18) ? makeAlias(random, { name, namespace }, zone) : makeService(random, { name, namespace }, usedIPs));
  }
  return sketches;
}

type Metadata = { readonly name: string; readonly namespace: string };

function makeAlias(random: Random, metadata: Metadata, zone: string): ServiceSketch {
  const zoneName = zone.slice(0, -1);
  const internalNames = [
    `web.default.svc.${zoneName}`,
    `${metadata.name}.${metadata.namespace}.svc.${zoneName}`,
    `web.prod.svc.${zone}`,
    `s1.default.svc.${zoneName}`,
    `s2.prod.svc.${zoneName}`,
    `nosuch.default.svc.${zoneName}`,
    `default.svc.${zoneName}`,
    `WEB.default.SVC.${zoneName}`,
    zoneName,
    '5.0.0.10.in-addr.arpa',
  ];
  const externalNames = ['db', 'db', 'alias', 'twice', 'broken', 'missing', 'six', 'many'].map((label) => `${label}.example.com`);
  const odd = ['192.0.2.77', '2001:db8::77', 'db.example.com.', 'Mixed.Example.COM', 'localhost'];
  const externalName = random.pick([random.pick(internalNames), random.pick(externalNames), random.pick(externalNames), random.pick(odd)]);
  const ports = random.chance(0.3) ? [{ name: 'http', port: 80, protocol: 'TCP' }] : [];
  return {
    ...metadata,
    service: { metadata, spec: { type: 'ExternalName', externalName, ...(ports.length > 0 && { ports }) } },
    families: [],
    headless: false,
    ports,
    members: [],
  };
}

type Spec = NonNullable<DnsService['spec']>;

function makeService(random: Random, metadata: Metadata, usedIPs: Set<string>): ServiceSketch {
  const headless = random.chance(0.45);
  const families = random.pick([['IPv4'], ['IPv4'], ['IPv6'], ['IPv4', 'IPv6'], ['IPv6', 'IPv4']] as const);
  const clusterIPs = headless ? ['None'] : families.map((family) => drawUnusedAddress(random, family, usedIPs, '10.96'));
  const ports = makePorts(random, headless);
  const type = headless ? 'ClusterIP' : random.pick(['ClusterIP', 'ClusterIP', 'NodePort', 'LoadBalancer']);
  const spec: Spec = {
    type,
    clusterIP: clusterIPs[0] as string,
    ...((families.length > 1 || random.chance(0.9)) && { clusterIPs, ipFamilies: families }),
    ports,
    selector: { app: metadata.name },
    ...random.maybe(0.2, () => ({ publishNotReadyAddresses: true })),
    ...random.maybe(0.15, () => ({ externalIPs: makeExternalIPs(random, usedIPs) })),
  };
  const ingress = type === 'LoadBalancer' ? random.maybe(0.75, () => makeIngress(random, usedIPs)) : undefined;
  const members = Array.from({ length: random.pick([0, 1, 1, 2, 3, 5, 9]) }, (_, at) => ({
    name: random.chance(0.05) ? `${metadata.name}-${'x'.repeat(62)}-${at}` : `${metadata.name}-${at}`,
    addresses: { IPv4: drawUnusedAddress(random, 'IPv4', usedIPs), IPv6: drawUnusedAddress(random, 'IPv6', usedIPs) },
    ...random.maybe(0.4, () => ({ hostname: random.pick(['h0', 'h1', 'Mixed', 'web', 'pod', `${metadata.name}-${at}`]) })),
  }));
  return {
    ...metadata,
    service: { metadata, spec, ...(ingress && { status: { loadBalancer: { ingress } } }) },
    families,
    headless,
    ports,
    members,
  };
}

const makeExternalIPs = (random: Random, usedIPs: Set<string>): string[] => [
  drawUnusedAddress(random, random.pick(['IPv4', 'IPv6']), usedIPs, '198.51'),
  ...(random.chance(0.3) ? [drawUnusedAddress(random, 'IPv4', usedIPs, '198.51')] : []),
];

const makeIngress = (random: Random, usedIPs: Set<string>): { ip?: string; hostname?: string }[] => [
  random.chance(0.7) ? { ip: drawUnusedAddress(random, 'IPv4', usedIPs, '203.0') } : { hostname: 'lb.example.com' },
  ...(random.chance(0.2) ? [{ ip: drawUnusedAddress(random, 'IPv6', usedIPs) }] : []),
];

function makePorts(random: Random, headless: boolean): { name?: string; port: number; protocol: string }[] {
  const count = headless && random.chance(0.2) ? 0 : random.pick([1, 1, 2, 3]);
  const names = random.shuffle(['http', 'metrics', 'dns', 'dns-tcp', 'tcp', 'any']);
  return Array.from({ length: count }, (_, at) => ({
    ...((count > 1 || random.chance(0.7)) && { name: names[at] as string }),
    port: random.pick([80, 443, 8080, 53]) + at,
    protocol: random.pick(['TCP', 'TCP', 'UDP', 'SCTP']),
  }));
}
