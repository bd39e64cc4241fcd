import { isIP } from 'node:net';
import type { DnsNamespace, DnsService } from 'kube-endpoints/internal';
import type { Pod } from 'kube-endpoints/types';
import { createRandom, type Random } from '../random.ts';
import type { DnsCase } from './case.ts';
import { freshAddress, namespaceNames, oddNames, oddNamespaces, type ServiceSketch } from './generate-names.ts';
import { withOddities } from './generate-odd.ts';
import { questionsOf } from './generate-queries.ts';
import { podsOf, slicesOf } from './generate-slices.ts';

/** Random clusters with questions to their zones; deterministic for a seed. */
export function* generateDns(seed: number, count: number, from = 0): Generator<DnsCase> {
  for (let number = from; number < from + count; number++) yield makeCase(createRandom(seed, number, 9), `${seed}-dns-${number}`);
}

function makeCase(random: Random, id: string): DnsCase {
  const zone = random.chance(0.85) ? 'cluster.local.' : random.pick(['k8s.example.org.', 'local.', 'svc.cluster.local.', 'a.b.c.d.e.']);
  const sketches = makeSketches(random, zone);
  const slices = sketches.flatMap((sketch) => slicesOf(random, sketch));
  const objects = withOddities(random, {
    services: sketches.map(({ service }) => service),
    endpointSlices: random.shuffled(slices),
    pods: [...sketches.flatMap((sketch) => podsOf(random, sketch)), ...strayPods(random)],
    namespaces: makeNamespaces(random, sketches),
  });
  const zones = random.maybe(0.18, () => random.pick(otherZones(zone)));
  return {
    id,
    zone,
    ...(zones && { zones }),
    podMode: random.pick(['disabled', 'insecure', 'insecure', 'verified', 'verified'] as const),
    endpointNameMode: random.chance(0.35),
    ttl: random.pick([5, 5, 30, 0, 3600, 300, 301]),
    ...random.maybe(0.12, () => ({
      namespaces: random.shuffled([...namespaceNames, random.pick(oddNamespaces)]).slice(0, 1 + random.int(2)),
    })),
    ...random.maybe(0.12, () => ({ ignoreEmptyService: true })),
    ...random.maybe(0.06, () => ({ noEndpoints: true })),
    ...random.maybe(0.12, () => ({ fallthrough: random.pick(fallthroughs(zone)) })),
    upstream,
    localIPs: ownAddresses(random, objects.endpointSlices),
    objects,
    queries: questionsOf(random, zone, sketches, objects),
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

function ownAddresses(random: Random, slices: DnsCase['objects']['endpointSlices']): string[] {
  const there = slices.flatMap(({ endpoints }) => (endpoints ?? []).flatMap(({ addresses }) => addresses ?? []));
  const own = random.shuffled(there.filter((address) => isIP(address) > 0 && !address.includes('%'))).slice(0, random.pick([1, 1, 1, 2]));
  return random.pick([
    own,
    own,
    own,
    [...own, '10.9.9.9'],
    [...own, ...own],
    ['10.9.9.9'],
    ['10.9.9.9', 'fd00::99'],
    ['fd00::99'],
    ['FD00::0:99'],
    ['::ffff:10.9.9.9'],
    [],
  ]);
}

/** Most namespaces exist; some have names that are words of the grammar. */
function makeNamespaces(random: Random, sketches: readonly ServiceSketch[]): DnsNamespace[] {
  const odd = oddNamespaces.filter((name) => random.chance(sketches.some(({ namespace }) => namespace === name) ? 0.8 : 0.05));
  return [...namespaceNames.filter(() => random.chance(0.95)), ...odd].map((name) => ({ metadata: { name } }));
}

function strayPods(random: Random): Pod[] {
  if (random.chance(0.6)) return [];
  const podIP = freshAddress(random, 'IPv4', new Set());
  const namespace = random.pick(namespaceNames);
  return ['lonely', 'twin'].slice(0, 1 + random.int(2)).map((name) => ({
    metadata: { name, namespace },
    status: { phase: random.pick(['Running', 'Running', 'Pending', 'Failed']), podIP, podIPs: [{ ip: podIP }] },
  }));
}

function makeSketches(random: Random, zone: string): ServiceSketch[] {
  const used = new Set<string>();
  const names = new Set<string>();
  const sketches: ServiceSketch[] = [];
  for (let left = random.int(7); left > 0; left--) {
    const namespace = random.chance(0.07) ? random.pick(['gone', ...oddNamespaces]) : random.pick(namespaceNames);
    const usual = ['web', 'db', 'api', 'cache', 'kube-dns', 'pod', 'svc', 'any', 'tcp', 'default', `s${left}`, `s${left}`];
    const name = random.pick(random.chance(0.08) ? oddNames : usual);
    if (names.has(`${namespace}/${name}`)) continue;
    names.add(`${namespace}/${name}`);
    sketches.push(random.chance(0.18) ? alias(random, { name, namespace }, zone) : service(random, { name, namespace }, used));
  }
  return sketches;
}

type Metadata = { readonly name: string; readonly namespace: string };

function alias(random: Random, metadata: Metadata, zone: string): ServiceSketch {
  const bare = zone.slice(0, -1);
  const inside = [
    `web.default.svc.${bare}`,
    `${metadata.name}.${metadata.namespace}.svc.${bare}`,
    `web.prod.svc.${zone}`,
    `s1.default.svc.${bare}`,
    `s2.prod.svc.${bare}`,
    `nosuch.default.svc.${bare}`,
    `default.svc.${bare}`,
    `WEB.default.SVC.${bare}`,
    bare,
    '5.0.0.10.in-addr.arpa',
  ];
  const outside = ['db', 'db', 'alias', 'twice', 'broken', 'missing', 'six', 'many'].map((label) => `${label}.example.com`);
  const odd = ['192.0.2.77', '2001:db8::77', 'db.example.com.', 'Mixed.Example.COM', 'localhost'];
  const externalName = random.pick([random.pick(inside), random.pick(outside), random.pick(outside), random.pick(odd)]);
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

function service(random: Random, metadata: Metadata, used: Set<string>): ServiceSketch {
  const headless = random.chance(0.45);
  const families = random.pick([['IPv4'], ['IPv4'], ['IPv6'], ['IPv4', 'IPv6'], ['IPv6', 'IPv4']] as const);
  const clusterIPs = headless ? ['None'] : families.map((family) => freshAddress(random, family, used, '10.96'));
  const ports = makePorts(random, headless);
  const type = headless ? 'ClusterIP' : random.pick(['ClusterIP', 'ClusterIP', 'NodePort', 'LoadBalancer']);
  const spec: Spec = {
    type,
    clusterIP: clusterIPs[0] as string,
    ...((families.length > 1 || random.chance(0.9)) && { clusterIPs, ipFamilies: families }),
    ports,
    selector: { app: metadata.name },
    ...random.maybe(0.2, () => ({ publishNotReadyAddresses: true })),
    ...random.maybe(0.15, () => ({ externalIPs: externals(random, used) })),
  };
  const ingress = type === 'LoadBalancer' ? random.maybe(0.75, () => ingressOf(random, used)) : undefined;
  const members = Array.from({ length: random.pick([0, 1, 1, 2, 3, 5, 9]) }, (_, at) => ({
    name: random.chance(0.05) ? `${metadata.name}-${'x'.repeat(62)}-${at}` : `${metadata.name}-${at}`,
    addresses: { IPv4: freshAddress(random, 'IPv4', used), IPv6: freshAddress(random, 'IPv6', used) },
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

const externals = (random: Random, used: Set<string>): string[] => [
  freshAddress(random, random.pick(['IPv4', 'IPv6']), used, '198.51'),
  ...(random.chance(0.3) ? [freshAddress(random, 'IPv4', used, '198.51')] : []),
];

const ingressOf = (random: Random, used: Set<string>): { ip?: string; hostname?: string }[] => [
  random.chance(0.7) ? { ip: freshAddress(random, 'IPv4', used, '203.0') } : { hostname: 'lb.example.com' },
  ...(random.chance(0.2) ? [{ ip: freshAddress(random, 'IPv6', used) }] : []),
];

function makePorts(random: Random, headless: boolean): { name?: string; port: number; protocol: string }[] {
  const count = headless && random.chance(0.2) ? 0 : random.pick([1, 1, 2, 3]);
  const names = random.shuffled(['http', 'metrics', 'dns', 'dns-tcp', 'tcp', 'any']);
  return Array.from({ length: count }, (_, at) => ({
    ...((count > 1 || random.chance(0.7)) && { name: names[at] as string }),
    port: random.pick([80, 443, 8080, 53]) + at,
    protocol: random.pick(['TCP', 'TCP', 'UDP', 'SCTP']),
  }));
}
