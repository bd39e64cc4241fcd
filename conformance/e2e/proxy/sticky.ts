import { type Check, formatSet } from './checks.ts';
import { agentAt, requestFor } from './reach.ts';
import { applyWorld, type Setup } from './scenario.ts';
import type { Via } from './services.ts';
import { expectTraffic } from './statements.ts';
import { clientAddresses, type Family, families } from './topology.ts';
import { firstWorld, type World, withPods, withService } from './world.ts';

const TRIES = 6;
/** On the slow kernel of ipvs. */
const FEWER_TRIES = 2;

/**
 * Checks session affinity: a client address reaches one pod, through every way to the Service, as long as that pod is an endpoint. Restores
 * the rules of the first world without session affinity.
 */
export async function checkStickySessions(setup: Setup): Promise<Check[]> {
  const checks = applyWorld('sessions begin', firstWorld, setup);
  const initialPods = await connectClients(firstWorld, 'cluster IP', setup);
  checks.push(...checkSticky('at first', initialPods, ['a1', 'a2', 'b1']));
  // A session of the mode ipvs is that of one address and port.
  if (setup.mode !== 'ipvs') {
    const podsByNodePort = await connectClients(firstWorld, 'node port of a', setup);
    checks.push(...checkUnchanged('through the node port', podsByNodePort, initialPods, () => true));
  }

  const worldWithNewPod = withPods(firstWorld, { a3: 'ready', b2: 'gone' });
  checks.push(...applyWorld('another pod has joined the sessions', worldWithNewPod, setup));
  checks.push(
    ...checkUnchanged('another pod has joined', await connectClients(worldWithNewPod, 'cluster IP', setup), initialPods, () => true),
  );

  const withoutA1 = withPods(worldWithNewPod, { a1: 'notReady' });
  checks.push(...applyWorld('a pod has left the sessions', withoutA1, setup));
  const podsWithoutA1 = await connectClients(withoutA1, 'cluster IP', setup);
  checks.push(...checkSticky('a pod has left', podsWithoutA1, ['a2', 'a3', 'b1']));
  checks.push(...checkUnchanged('a pod has left', podsWithoutA1, initialPods, (pod) => pod !== 'a1'));

  const worldWithoutAffinity = withService(firstWorld, 'sticky', (service) => ({ ...service, specFields: {} }));
  checks.push(...applyWorld('sessions are over', worldWithoutAffinity, setup));
  const reachedPods = new Set([...(await connectClients(worldWithoutAffinity, 'cluster IP', setup)).values()].flatMap((pods) => [...pods]));
  checks.push({
    what: 'without session affinity every pod is reached',
    found: formatSet(reachedPods),
    expected: formatSet(new Set(['a1', 'a2', 'b1'])),
  });
  return checks;
}

/** Answering pods by family and client address. */
type PodsByClient = ReadonlyMap<string, ReadonlySet<string>>;

async function connectClients(world: World, via: Via, { mode, agents }: Setup): Promise<PodsByClient> {
  const clients = families.flatMap((family) => clientAddresses.map((address) => ({ family, from: address[family] })));
  const results = clients.map(async ({ family, from }) => {
    const request = requestFor(family, expectTraffic('sticky', via, 'client', []), world);
    // In sequence: concurrent connections would have no previous connection, and could reach different pods.
    const answers = [];
    for (let i = 0; i < (mode === 'ipvs' ? FEWER_TRIES : TRIES); i++)
      answers.push(...(await agentAt('client', agents).send({ ...request, from })));
    return [keyOf(family, from), new Set(answers.map(({ pod, failed }) => pod ?? `${failed}`))] as const;
  });
  return new Map(await Promise.all(results));
}

/** Checks that each client address reaches one of the allowed pods, and that all client addresses together reach several pods. */
function checkSticky(when: string, podsByClient: PodsByClient, allowed: readonly string[]): Check[] {
  const checks = [...podsByClient].map(([key, pods]) => ({
    what: `sessions, ${when}: one pod for ${key}`,
    found: formatSet(pods),
    expected: allowed.find((pod) => pods.has(pod)) ?? `one of ${allowed.join(', ')}`,
  }));
  return [
    ...checks,
    ...families.map((family) => {
      const pods = new Set([...podsByClient].filter(([key]) => key.startsWith(family)).flatMap(([, some]) => [...some]));
      return { what: `sessions, ${when}: several pods in use, ${family}`, found: String(pods.size > 1), expected: 'true' };
    }),
  ];
}

/** Checks that client addresses whose pod is still an endpoint reach the same pod as before. */
function checkUnchanged(
  when: string,
  podsByClient: PodsByClient,
  before: PodsByClient,
  isStillEndpoint: (pod: string) => boolean,
): Check[] {
  return [...before]
    .filter(([, pods]) => [...pods].every(isStillEndpoint))
    .map(([key, pods]) => ({
      what: `sessions, ${when}: ${key} keeps its pod`,
      found: formatSet(podsByClient.get(key) ?? new Set()),
      expected: formatSet(pods),
    }));
}

function keyOf(family: Family, address: string): string {
  return `${family} ${address}`;
}
