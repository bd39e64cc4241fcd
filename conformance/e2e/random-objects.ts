import type { Manifest } from '../../examples/manifest.ts';
import type { Random } from '../../examples/random.ts';

type Fields = Record<string, unknown>;

const NAMESPACES: readonly [string, string] = ['random-a', 'random-b'];
const PROTOCOLS = ['TCP', 'TCP', 'TCP', 'UDP', 'SCTP'] as const;
const PORT_NAMES = ['http', 'grpc', 'metrics', 'dns'] as const;
const APP_PROTOCOLS = ['http', 'https', 'kubernetes.io/h2c'] as const;
const DISTRIBUTIONS = ['PreferClose', 'PreferSameZone', 'PreferSameNode'] as const;
const TOPOLOGY_ANNOTATIONS = ['service.kubernetes.io/topology-mode', 'service.kubernetes.io/topology-aware-hints'] as const;
const PHASES = ['Running', 'Running', 'Running', 'Running', 'Running', 'Pending', 'Succeeded', 'Failed', 'Unknown'] as const;

/** Creates Services and pods with unusual but valid specs, over a few labels. */
export function randomObjects(random: Random, serviceCount: number, podCount: number): Manifest[] {
  const appCount = Math.ceil(serviceCount / 2);
  const app = (): string => `app-${random.below(appCount)}`;
  return [
    ...NAMESPACES.map((name): Manifest => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    ...Array.from({ length: podCount }, (_, n) => randomPod(random, random.pick(NAMESPACES), `pod-${n}`, app())),
    ...Array.from({ length: serviceCount }, (_, n) => randomService(random, random.pick(NAMESPACES), `service-${n}`, app())),
  ];
}

export function randomPod(random: Random, namespace: string, name: string, app: string): Manifest {
  const phase = random.pick(PHASES);
  const isTerminating = phase === 'Running' && random.chance(0.1);
  const isBound = random.chance(0.95);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      labels: { app, tier: random.pick(['front', 'back']) },
      ...(isTerminating && isBound ? { deletionTimestamp: randomInstant(random), deletionGracePeriodSeconds: 3600 } : {}),
    },
    spec: {
      ...(isBound ? { nodeName: `worker-a${1 + random.below(4)}` } : {}),
      ...(random.chance(0.3) ? { hostname: `host-${random.below(6)}`, subdomain: `service-${random.below(20)}` } : {}),
      restartPolicy: random.pick(['Always', 'Always', 'OnFailure', 'Never']),
      ...(random.chance(0.15) ? { initContainers: [randomInitContainer(random)] } : {}),
      containers: Array.from({ length: random.pick([1, 1, 2]) }, (_, n) => randomContainer(random, `main-${n}`)),
    },
    status: { phase, ...(isBound ? randomAddresses(random) : {}), conditions: randomConditions(random) },
  };
}

function randomService(random: Random, namespace: string, name: string, app: string): Manifest {
  const isHeadless = random.chance(0.3);
  const isExternalName = random.chance(0.05);
  const isDualStack = random.chance(0.25);
  const isIPv6First = random.chance(0.3);
  const families: Fields = {
    ipFamilies: isIPv6First ? ['IPv6', ...(isDualStack ? ['IPv4'] : [])] : ['IPv4', ...(isDualStack ? ['IPv6'] : [])],
    ipFamilyPolicy: isDualStack ? 'RequireDualStack' : 'SingleStack',
  };
  const spec: Fields = {
    ...(isExternalName ? { type: 'ExternalName', externalName: 'elsewhere.example.com' } : families),
    ...(isHeadless && !isExternalName ? { clusterIP: 'None' } : {}),
    ...(random.chance(0.93) ? { selector: { app, ...(random.chance(0.3) ? { tier: random.pick(['front', 'back']) } : {}) } } : {}),
    ...(random.chance(0.2) ? { publishNotReadyAddresses: true } : {}),
    ...(!isExternalName && random.chance(0.3) ? { trafficDistribution: random.pick(DISTRIBUTIONS) } : {}),
    ports: randomServicePorts(random, isHeadless && random.chance(0.3) ? 0 : random.pick([1, 1, 1, 2, 3])),
  };
  const labels = { team: random.pick(['red', 'blue']), ...(random.chance(0.2) ? { 'service.kubernetes.io/headless': '' } : {}) };
  const annotations = { [random.pick(TOPOLOGY_ANNOTATIONS)]: random.pick(['Auto', 'Auto', 'auto', 'Disabled']) };
  const metadata = { name, namespace, ...(random.chance(0.5) ? { labels } : {}), ...(random.chance(0.3) ? { annotations } : {}) };
  return { apiVersion: 'v1', kind: 'Service', metadata, spec };
}

function randomServicePorts(random: Random, count: number): Fields[] {
  return Array.from({ length: count }, (_, n) => ({
    ...(count > 1 || random.chance(0.5) ? { name: `port-${n}` } : {}),
    port: random.pick([80, 443, 8080]) + n,
    protocol: random.pick(PROTOCOLS),
    targetPort: random.chance(0.6) ? random.pick(PORT_NAMES) : random.pick([8080, 8443, 9090]),
    ...(random.chance(0.2) ? { appProtocol: random.pick(APP_PROTOCOLS) } : {}),
  }));
}

function randomInitContainer(random: Random): Fields {
  return { ...randomContainer(random, 'init'), ...(random.chance(0.6) ? { restartPolicy: 'Always' } : {}) };
}

function randomContainer(random: Random, name: string): Fields {
  const ports = PORT_NAMES.filter(() => random.chance(0.4)).map((port) => ({
    name: port,
    containerPort: random.pick([8080, 8081, 9090]),
    protocol: random.pick(PROTOCOLS),
  }));
  return { name, image: `${name}:1`, ports };
}

function randomAddresses(random: Random): Fields {
  if (random.chance(0.08)) return {};
  const ipv4 = `10.245.${random.below(4)}.${1 + random.below(250)}`;
  const host = (1 + random.below(60_000)).toString(16);
  const ipv6 = random.pick([
    `fd00:10:245::${host}`,
    `fd00:10:245::${host}`,
    `FD00:10:245::${host.toUpperCase()}`,
    `fd00:10:245:0:0:0:0:${host}`,
  ]);
  const ips = random.pick([[ipv4], [ipv4], [ipv6], [ipv4, ipv6], [ipv6, ipv4]]);
  return { podIP: ips[0], podIPs: ips.map((ip) => ({ ip })) };
}

function randomConditions(random: Random): Fields[] {
  if (random.chance(0.08)) return [];
  return [{ type: 'Ready', status: random.pick(['True', 'True', 'True', 'False', 'Unknown']), lastTransitionTime: randomInstant(random) }];
}

function randomInstant(random: Random): string {
  return new Date(Date.UTC(2026, 0, 1) + random.below(86_400 * 30) * 1000).toISOString().replace('.000Z', 'Z');
}
