import type { ContainerPort } from 'kube-endpoints/internal';
import type { Container, Pod, PodCondition } from 'kube-endpoints/types';
import { randomProtocol, randomTime, type World } from './world.ts';

/** The properties shared by the pods of one revision of a workload. */
export interface Revision {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[] | undefined;
  readonly restartPolicy: string | undefined;
}

/** Creates one revision, or several during a rolling update in which named ports may have changed. */
export function makeRevisions(world: World): Revision[] {
  const { random, traits } = world;
  const count = random.chance(traits.revisions) ? random.pick([2, 2, 3]) : 1;
  return Array.from({ length: count }, () => makeRevision(world));
}

/** Creates pods of these revisions; some share an address, as with `hostNetwork`. */
export function makePods(world: World, revisions: readonly Revision[], count: number): Pod[] {
  const { random, traits } = world;
  const pods: Pod[] = [];
  for (let i = 0; i < count; i++) {
    const neighbour = pods.at(-1);
    const sharesAddress = neighbour !== undefined && random.chance(traits.sharedAddress) && neighbour.metadata?.uid !== undefined;
    const pod = makePod(world, random.pick(revisions), sharesAddress);
    pods.push(
      sharesAddress ? { ...pod, status: { ...pod.status, podIP: neighbour.status?.podIP, podIPs: neighbour.status?.podIPs } } : pod,
    );
  }
  return pods;
}

/**
 * Creates a pod. Every UID is unique, and a pod without a UID has an address of its own in canonical form. Otherwise the result would
 * depend on the random order in which a cache lists pods with the same address.
 */
export function makePod(world: World, revision: Revision, needsUID = false): Pod {
  const { random, traits } = world;
  const number = world.nextUniqueNumber();
  const hasNoUID = !needsUID && random.chance(traits.noUID);
  return {
    metadata: {
      name: `pod-${number}`,
      namespace: random.chance(traits.oddSelection / 4) ? 'elsewhere' : world.namespace,
      uid: hasNoUID ? undefined : `${random.int(2 ** 32).toString(16)}-${number}`,
      resourceVersion: random.chance(0.02) ? undefined : String(100 + random.int(900)),
      labels: makePodLabels(world),
      deletionTimestamp: random.maybe(traits.terminating, () => randomTime(world)),
    },
    spec: {
      ...revision,
      nodeName: random.maybe(0.9, () => `node-${random.int(4)}`),
      ...makeHostname(world),
    },
    status: {
      phase: random.chance(traits.phases) ? random.pick(['Succeeded', 'Failed', 'Pending', 'Unknown', undefined]) : 'Running',
      ...makeAddresses(world, number, !hasNoUID),
      conditions: makeConditions(world),
    },
  };
}

function makeRevision(world: World): Revision {
  const { random, traits } = world;
  const containers = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, (_, i) => makeContainer(world, `main-${i}`));
  const initContainers = random.maybe(traits.sidecars, () =>
    Array.from({ length: random.pick([1, 1, 2]) }, (_, i) => ({
      ...makeContainer(world, `init-${i}`),
      restartPolicy: random.pick(['Always', 'Always', 'Always', undefined]),
    })),
  );
  const restartPolicy = random.chance(traits.phases) ? random.pick(['OnFailure', 'Never', 'Never', undefined]) : 'Always';
  return { containers, initContainers, restartPolicy };
}

function makeContainer(world: World, name: string): Container {
  const { random, traits } = world;
  return { name, ports: random.chance(0.1) ? undefined : Array.from({ length: random.pick([1, 2, 2, 3]) }, () => containerPort(world)) };

  function containerPort({ portNames }: World): ContainerPort {
    return {
      name: random.chance(traits.oddPorts / 2) ? random.pick([undefined, '']) : random.pick(portNames),
      containerPort: random.pick([53, 80, 8080, 8081, 8443, 9090]),
      protocol: randomProtocol(world),
    };
  }
}

function makePodLabels({ random, traits }: World): Record<string, string> | undefined {
  const odd = traits.oddSelection;
  if (random.chance(odd / 5)) return undefined;
  return {
    app: random.chance(0.03 + odd / 8) ? 'other' : 'web',
    ...random.maybe(0.5, () => ({ tier: random.pick(['front', 'back', '']) })),
    ...random.maybe(odd / 2, () => ({ constructor: 'x' })),
  };
}

function makeHostname({ random, traits, name }: World): { hostname?: string | undefined; subdomain?: string | undefined } {
  if (!random.chance(traits.hostnames)) return {};
  return {
    hostname: random.chance(0.9) ? `host-${random.int(5)}` : random.pick(['', undefined]),
    subdomain: random.chance(0.75) ? name : random.pick(['another', '', undefined]),
  };
}

type Addresses = Pick<NonNullable<Pod['status']>, 'podIP' | 'podIPs'>;

function makeAddresses(world: World, number: number, mayBeOdd: boolean): Addresses {
  const { random, traits, isPrimaryIPv6, isDualStack } = world;
  const odd = mayBeOdd && random.chance(traits.oddAddresses);
  const ipv4 = odd ? oddIPv4(world, number) : ownIPv4(number);
  const ipv6 = odd ? oddIPv6(world, number) : ownIPv6(number);
  const isIPv6First = random.chance(isDualStack ? 0.3 : 0.02) ? !isPrimaryIPv6 : isPrimaryIPv6;
  const hasBothFamilies = random.chance(isDualStack ? 0.7 : 0.05);
  const ips = (isIPv6First ? [ipv6, ipv4] : [ipv4, ipv6]).slice(0, hasBothFamilies ? 2 : 1);
  if (random.chance(0.04)) return random.pick<Addresses>([{}, { podIP: '' }, { podIP: '', podIPs: [] }]);
  if (!random.chance(traits.partialAddresses)) return { podIP: ips[0], podIPs: ips.map((ip) => ({ ip })) };
  return random.pick<Addresses>([
    { podIP: ips[0] },
    { podIP: ips[0], podIPs: [] },
    { podIPs: ips.map((ip) => ({ ip })) },
    { podIP: ips[0], podIPs: [...ips].reverse().map((ip) => ({ ip })) },
    { podIP: ips[0], podIPs: [{ ip: isIPv6First ? ownIPv4(number) : ownIPv6(number) }] },
  ]);
}

const ownIPv4 = (number: number): string => `10.${(number >> 14) & 127}.${(number >> 7) & 127}.${1 + (number & 127)}`;
const ownIPv6 = (number: number): string => `fd00:1::${number.toString(16)}`;

/** Draws an IPv4 address with leading zeros, or an invalid address. */
function oddIPv4({ random }: World, number: number): string {
  const parts = ownIPv4(number).split('.');
  const index = random.int(4);
  const padded = parts.map((part, i) => (i === index ? part.padStart(3, '0') : part)).join('.');
  return random.pick([padded, padded, padded, `0${parts.join('.')}`, `10.0.${number & 127}`, `pod-${number}`]);
}

/** Draws an IPv6 address with an embedded IPv4 address, capitals, explicit zeros, or a zone. */
function oddIPv6({ random }: World, number: number): string {
  const last = number.toString(16);
  return random.pick([
    `::ffff:${ownIPv4(number)}`,
    `FD00:1::${last.toUpperCase()}`,
    `fd00:0001:0000:0000:0000:0000:0000:${last.padStart(4, '0')}`,
    `fd00:1:0:0:0:0:0:${last}`,
    `fd00:1::0:${last}`,
    `fe80::1%eth${number}`,
  ]);
}

/** Creates conditions in any order; of two Ready conditions, the first counts. */
function makeConditions(world: World): PodCondition[] | undefined {
  const { random, traits } = world;
  if (random.chance(0.04)) return random.maybe(0.5, () => []);
  const ready = (): PodCondition => ({
    type: 'Ready',
    status: random.chance(traits.unready) ? random.pick(['False', 'False', 'Unknown']) : 'True',
    lastTransitionTime: random.chance(0.05) ? undefined : randomTime(world),
  });
  const others: PodCondition[] = [
    { type: 'ContainersReady', status: random.pick(['True', 'False']), lastTransitionTime: randomTime(world) },
    { type: 'PodScheduled', status: 'True', lastTransitionTime: randomTime(world) },
  ];
  const second = random.chance(0.02) ? [ready()] : [];
  return random.shuffle([ready(), ...second, ...others.slice(0, random.int(3))]);
}
