/** Generates the cases for the programs in oracle/: node generate.ts SEED COUNT. Equal seeds generate equal cases. */
const [, , seed = '1', count = '400'] = process.argv;

const random = createRandom(Number(seed));
const randomInt = (bound: number): number => Math.floor(random() * bound);
const pick = <T>(...list: readonly T[]): T => list[randomInt(list.length)] as T;
const chance = (share: number): boolean => random() < share;

interface Cluster {
  readonly cidrs: readonly string[];
  readonly defaultFamily: string;
  readonly ports: string;
}

const clusters: readonly Cluster[] = [
  { cidrs: ['10.0.0.0/27'], defaultFamily: 'IPv4', ports: '30000-30039' },
  { cidrs: ['10.0.0.0/29'], defaultFamily: 'IPv4', ports: '30000-30005' },
  { cidrs: ['10.0.0.0/27', 'fd00::/123'], defaultFamily: 'IPv4', ports: '30000-30039' },
  { cidrs: ['10.0.0.0/28', 'fd00::/125'], defaultFamily: 'IPv6', ports: '30000-30019' },
  { cidrs: ['10.0.0.0/30'], defaultFamily: 'IPv4', ports: '30000-30002' },
  { cidrs: ['10.0.0.0/28', 'fd00::/126'], defaultFamily: 'IPv4', ports: '30000-30003' },
  { cidrs: ['fd00::/120'], defaultFamily: 'IPv6', ports: '30000-30039' },
];

for (let i = 0; i < Number(count); i++) {
  const cluster = pick(...clusters);
  const lastServices = new Map<string, object>();
  const steps = Array.from({ length: 3 + randomInt(9) }, () => {
    const name = pick('a', 'b', 'c');
    if (chance(0.1)) return { name, service: null };
    const previous = lastServices.get(name);
    const service = previous && chance(0.5) ? mutate(previous, cluster) : makeService(cluster);
    lastServices.set(name, service);
    return { name, service, ...(chance(0.06) ? { dryRun: true } : {}) };
  });
  console.log(JSON.stringify({ id: `${seed}-${i}`, ...cluster, steps }));
}

function makeService(cluster: Cluster): { spec: Record<string, unknown> } {
  const type = pick('ClusterIP', 'ClusterIP', 'NodePort', 'NodePort', 'LoadBalancer', 'LoadBalancer', 'ExternalName');
  const hasNodePorts = type === 'NodePort' || type === 'LoadBalancer';
  const spec: Record<string, unknown> = { type, sessionAffinity: 'None', ports: makePorts(hasNodePorts || chance(0.05), cluster) };
  if (chance(0.7)) spec['selector'] = { app: 'web' };
  if (type === 'ExternalName') Object.assign(spec, { externalName: 'example.com' });
  else spec['internalTrafficPolicy'] = 'Cluster';
  if (hasNodePorts)
    spec['externalTrafficPolicy'] = type === 'LoadBalancer' ? pick('Local', 'Cluster') : pick('Local', 'Cluster', 'Cluster');
  if (type === 'LoadBalancer') spec['allocateLoadBalancerNodePorts'] = chance(0.7);
  if (type === 'LoadBalancer' && chance(0.2)) spec['loadBalancerClass'] = 'example.com/x';
  if (type === 'LoadBalancer' && chance(0.2)) spec['healthCheckNodePort'] = pickPort(cluster);
  if (type === 'ClusterIP' && chance(0.1)) Object.assign(spec, { externalIPs: ['192.0.2.1'], externalTrafficPolicy: 'Cluster' });
  if (type !== 'ExternalName' || chance(0.05)) addFamilies(spec, cluster);
  return { spec };
}

function addFamilies(spec: Record<string, unknown>, cluster: Cluster): void {
  if (chance(0.5))
    spec['ipFamilyPolicy'] = pick(
      'SingleStack',
      'PreferDualStack',
      'PreferDualStack',
      'RequireDualStack',
      ...(chance(0.1) ? ['Both'] : []),
    );
  if (chance(0.3)) {
    spec['ipFamilies'] = pick<string[]>(
      ['IPv4'],
      ['IPv6'],
      ['IPv4', 'IPv6'],
      ['IPv6', 'IPv4'],
      ...(chance(0.2) ? [['IPv4', 'IPv4'], ['IPv5']] : []),
    );
  }
  if (chance(0.15)) Object.assign(spec, { clusterIP: 'None' }, chance(0.5) ? { clusterIPs: ['None'] } : {});
  else if (chance(0.3)) {
    const first = pickAddress(cluster);
    const otherAddresses = chance(0.3) ? [pickAddress(cluster)] : [];
    spec['clusterIP'] = chance(0.93) ? first : '';
    if (chance(0.6)) spec['clusterIPs'] = [chance(0.95) ? first : pickAddress(cluster), ...otherAddresses];
  }
}

function mutate(previous: object, cluster: Cluster): object {
  const service = structuredClone(previous) as { spec: Record<string, unknown> };
  const newSpec = makeService(cluster).spec;
  for (const field of ['ipFamilyPolicy', 'ipFamilies', 'clusterIPs', 'ports', 'healthCheckNodePort', 'selector', 'externalTrafficPolicy']) {
    if (!chance(0.25)) continue;
    if (newSpec[field] === undefined) delete service.spec[field];
    else service.spec[field] = newSpec[field];
  }
  if (chance(0.1)) delete service.spec['clusterIP'];
  if (!chance(0.4)) return service;
  for (const field of ['type', 'externalTrafficPolicy', 'internalTrafficPolicy', 'allocateLoadBalancerNodePorts', 'externalName']) {
    if (newSpec[field] === undefined) delete service.spec[field];
    else service.spec[field] = newSpec[field];
  }
  return service;
}

function makePorts(hasNodePorts: boolean, cluster: Cluster): object[] {
  return Array.from({ length: randomInt(4) }, (_, i) => ({
    name: chance(0.9) ? `p${i}` : 'p0',
    port: pick(53, 80, 443),
    targetPort: 80,
    protocol: pick('TCP', 'TCP', 'UDP'),
    ...(hasNodePorts && chance(0.35) ? { nodePort: pickPort(cluster) } : {}),
  }));
}

function pickPort({ ports }: Cluster): number {
  const [first = 0, last = 0] = ports.split('-').map(Number);
  return chance(0.93) ? first + randomInt(Math.min(6, last - first)) : pick(last, last + 1, 80);
}

function pickAddress({ cidrs }: Cluster): string {
  if (chance(0.08)) return pick('bogus', '', '010.0.0.3', '::ffff:10.0.0.4', '192.168.0.1', '10.0.0.0', 'fd00::', 'FD00::0003', 'None');
  const isIPv6 = cidrs.length === 2 ? chance(0.5) : cidrs[0]?.includes(':') ? chance(0.9) : chance(0.1);
  return isIPv6 ? `fd00::${(1 + randomInt(6)).toString(16)}` : `10.0.0.${1 + randomInt(6)}`;
}

function createRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let hash = Math.imul(state ^ (state >>> 15), 1 | state);
    hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash;
    return ((hash ^ (hash >>> 14)) >>> 0) / 4294967296;
  };
}
