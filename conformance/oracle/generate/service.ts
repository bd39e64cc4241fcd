import type { Service, ServicePort } from 'kube-endpoints/types';
import { randomProtocol, randomTime, type World } from './world.ts';

export function makeService(world: World): Service {
  const { random, traits } = world;
  const clusterIP = makeClusterIP(world);
  return {
    metadata: {
      name: world.name,
      namespace: world.namespace,
      uid: `service-${random.int(1e6)}`,
      resourceVersion: '7',
      creationTimestamp: random.chance(traits.oddTimes / 3) ? undefined : randomTime(world),
      labels: makeServiceLabels(world),
      annotations: random.maybe(traits.tolerateUnreadyAnnotation, () => ({ [tolerateUnready]: random.pick(booleans) })),
    },
    spec: {
      type: random.chance(traits.oddSelection / 3)
        ? 'ExternalName'
        : random.pick([undefined, 'ClusterIP', 'ClusterIP', 'NodePort', 'LoadBalancer']),
      selector: makeSelector(world),
      clusterIP,
      ...withOldFamily(makeFamilies(world)),
      ports: makeServicePorts(world, clusterIP === 'None'),
      publishNotReadyAddresses: random.maybe(traits.publishNotReady, () => random.chance(0.9)),
    },
  };
}

const tolerateUnready = 'service.alpha.kubernetes.io/tolerate-unready-endpoints';

/** Every string that Go's strconv.ParseBool accepts, and some that it does not. */
const booleans = [
  ...['1', 't', 'T', 'TRUE', 'true', 'True', '0', 'f', 'F', 'FALSE', 'false', 'False'],
  ...['', 'yes', 'tRUE', ' true', '2', 'on'],
];

/** Creates labels of a Service, some of which a controller also sets itself on Endpoints. */
export function makeServiceLabels({ random, traits }: World): Record<string, string> | undefined {
  if (random.chance(0.3)) return random.maybe(0.5, () => ({}));
  const labels: Record<string, string> = { app: 'web' };
  if (random.chance(0.3)) labels['tier'] = random.pick(['front', 'back']);
  if (random.chance(traits.oddLabels)) labels['service.kubernetes.io/headless'] = random.pick(['', 'yes']);
  if (random.chance(traits.oddLabels)) labels['endpoints.kubernetes.io/managed-by'] = random.pick(['endpoint-controller', 'me', '']);
  if (random.chance(traits.oddLabels)) labels['constructor'] = 'x';
  if (random.chance(traits.oddLabels)) labels['empty'] = '';
  return labels;
}

export function makeSelector({ random, traits }: World): Record<string, string> | undefined {
  if (!random.chance(traits.oddSelection)) return { app: 'web' };
  return random.pick<Record<string, string> | undefined>([
    undefined,
    {},
    { app: 'web', tier: 'front' },
    { app: 'other' },
    { tier: '' },
    { constructor: 'x' },
    { missing: 'x' },
  ]);
}

function makeClusterIP({ random, traits, isPrimaryIPv6, isDualStack }: World): string | undefined {
  if (random.chance(traits.headless)) return 'None';
  if (random.chance(0.02)) return random.pick(['', undefined]);
  // Occasionally a family that differs from the pods'.
  const isOtherFamily = random.chance(isDualStack ? 0.15 : 0.03);
  return isPrimaryIPv6 !== isOtherFamily
    ? `fd00:96::${(1 + random.int(65000)).toString(16)}`
    : `10.96.${random.int(256)}.${1 + random.int(254)}`;
}

/** Sets both fields, that of dual-stack Services since 1.20 and the alpha field before. */
const withOldFamily = (ipFamilies: string[] | undefined): Pick<NonNullable<Service['spec']>, 'ipFamilies' | 'ipFamily'> => ({
  ipFamilies,
  ipFamily: ipFamilies?.[0],
});

export function makeFamilies({ random, traits, isPrimaryIPv6, isDualStack }: World): string[] | undefined {
  if (random.chance(traits.noFamilies)) return random.maybe(0.3, () => []);
  const primary = isPrimaryIPv6 ? 'IPv6' : 'IPv4';
  if (!random.chance(isDualStack ? 0.8 : 0.05)) return [primary];
  return [primary, isPrimaryIPv6 ? 'IPv4' : 'IPv6'];
}

export function makeServicePorts(world: World, headless: boolean): ServicePort[] | undefined {
  const { random, traits } = world;
  if (random.chance(headless ? 0.3 : 0.02)) return random.maybe(0.5, () => []);
  const count = random.pick([1, 1, 1, 2, 2, 3, 4]);
  const ports = Array.from({ length: count }, (_, i) => makeServicePort(world, count > 1 || random.chance(0.5) ? `port-${i}` : undefined));
  if (random.chance(traits.oddPorts)) ports.push({ ...random.pick(ports) });
  // A duplicate name.
  if (random.chance(traits.oddPorts)) ports.push({ ...makeServicePort(world, undefined), name: random.pick(ports).name });
  return ports;
}

function makeServicePort(world: World, name: string | undefined): ServicePort {
  const { random, traits } = world;
  return {
    name,
    port: random.pick([53, 80, 443, 8080, 9090]),
    protocol: randomProtocol(world),
    targetPort: makeTargetPort(world),
    appProtocol: random.maybe(traits.appProtocol, () => random.pick(['http', 'http', 'https', 'kubernetes.io/h2c', ''])),
  };
}

export function makeTargetPort({ random, traits, portNames }: World): ServicePort['targetPort'] {
  if (random.chance(traits.oddPorts)) return random.pick([undefined, 0, '', '8080', 'nobody']);
  return random.chance(traits.namedPorts) ? random.pick(portNames) : random.pick([53, 80, 443, 8080, 8443, 9090, 65535]);
}
