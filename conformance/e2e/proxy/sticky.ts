import { type Check, show } from './checks.ts';
import { agentAt, requestFor } from './reach.ts';
import { applyWorld, type Stage } from './scenario.ts';
import type { Via } from './services.ts';
import { to } from './statements.ts';
import { clientAddresses, type Family, families } from './topology.ts';
import { firstWorld, type World, withPods, withService } from './world.ts';

const TRIES = 6;

/**
 * Session affinity: a client address reaches one pod, through every way to the Service, as long as that pod is an endpoint. Restores the
 * rules of the first world without session affinity.
 */
export async function stickySessions(stage: Stage): Promise<Check[]> {
  const checks = applyWorld('sessions begin', firstWorld, stage);
  const first = await pairs(firstWorld, 'cluster IP', stage);
  checks.push(...checkSticky('at first', first, ['a1', 'a2', 'b1']));
  checks.push(...checkUnchanged('through the node port', await pairs(firstWorld, 'node port of a', stage), first, () => true));

  const other = withPods(firstWorld, { a3: 'ready', b2: 'gone' });
  checks.push(...applyWorld('another pod has joined the sessions', other, stage));
  checks.push(...checkUnchanged('another pod has joined', await pairs(other, 'cluster IP', stage), first, () => true));

  const without = withPods(other, { a1: 'notReady' });
  checks.push(...applyWorld('a pod has left the sessions', without, stage));
  const second = await pairs(without, 'cluster IP', stage);
  checks.push(...checkSticky('a pod has left', second, ['a2', 'a3', 'b1']));
  checks.push(...checkUnchanged('a pod has left', second, first, (pod) => pod !== 'a1'));

  const none = withService(firstWorld, 'sticky', (part) => ({ ...part, specFields: {} }));
  checks.push(...applyWorld('sessions are over', none, stage));
  const all = new Set([...(await pairs(none, 'cluster IP', stage)).values()].flatMap((pods) => [...pods]));
  checks.push({ what: 'without session affinity every pod is reached', found: show(all), expected: show(new Set(['a1', 'a2', 'b1'])) });
  return checks;
}

/** Answering pods by family and client address. */
type PodsByClient = ReadonlyMap<string, ReadonlySet<string>>;

async function pairs(world: World, via: Via, { agents }: Stage): Promise<PodsByClient> {
  const asking = families.flatMap((family) => clientAddresses.map((address) => ({ family, from: address[family] })));
  const found = asking.map(async ({ family, from }) => {
    const request = requestFor(family, to('sticky', via, 'client', []), world);
    // In sequence: each of several concurrent connections would be the first.
    const answers = [];
    for (let i = 0; i < TRIES; i++) answers.push(...(await agentAt('client', agents).ask({ ...request, from })));
    return [keyOf(family, from), new Set(answers.map(({ pod, failed }) => pod ?? `${failed}`))] as const;
  });
  return new Map(await Promise.all(found));
}

/** Each client address reaches one of the allowed pods, and they do not all reach the same. */
function checkSticky(when: string, found: PodsByClient, allowed: readonly string[]): Check[] {
  const each = [...found].map(([key, pods]) => ({
    what: `sessions, ${when}: one pod for ${key}`,
    found: show(pods),
    expected: allowed.find((pod) => pods.has(pod)) ?? `one of ${allowed.join(', ')}`,
  }));
  return [
    ...each,
    ...families.map((family) => {
      const pods = new Set([...found].filter(([key]) => key.startsWith(family)).flatMap(([, some]) => [...some]));
      return { what: `sessions, ${when}: several pods in use, ${family}`, found: String(pods.size > 1), expected: 'true' };
    }),
  ];
}

/** Client addresses whose pod is still an endpoint reach the same pod as before. */
function checkUnchanged(when: string, found: PodsByClient, before: PodsByClient, isKept: (pod: string) => boolean): Check[] {
  return [...before]
    .filter(([, pods]) => [...pods].every(isKept))
    .map(([key, pods]) => ({
      what: `sessions, ${when}: ${key} keeps its pod`,
      found: show(found.get(key) ?? new Set()),
      expected: show(pods),
    }));
}

function keyOf(family: Family, address: string): string {
  return `${family} ${address}`;
}
