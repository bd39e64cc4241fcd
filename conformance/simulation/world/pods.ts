import { type ApiObject, resources } from 'kube-endpoints/port';
import { epoch } from '../harness/replica/clock.ts';
import { annotated, everything, labelled, type World, type WorldAction } from '../harness/world.ts';
import { namespaces } from './namespaces.ts';

const { pods } = resources;

type Fields = Readonly<Record<string, unknown>>;

/** Changes of pods with their frequencies. */
export const podActions: readonly WorldAction[] = [
  { weight: 10, act: createPod },
  { weight: 10, act: startPod },
  { weight: 8, act: turnReadiness },
  { weight: 3, act: relabel },
  { weight: 2, act: annotate },
  { weight: 2, act: finish },
  { weight: 4, act: endSlowly },
  { weight: 3, act: vanish },
  { weight: 3, act: replace },
  { weight: 1, act: changeAddress },
];

/** Creates a running pod. */
export async function runPod(world: World, namespace: string): Promise<void> {
  const pod = await createIn(world, namespace);
  if (pod && isBound(pod))
    await world.change(pods, withStatus(pod, running(world, freshAddresses(world), world.random.chance(0.8))), 'status');
}

async function createPod(world: World): Promise<unknown> {
  return createIn(world, world.random.pick(namespaces));
}

async function createIn(world: World, namespace: string): Promise<ApiObject | undefined> {
  const { random } = world;
  const name = `p${random.below(8)}`;
  const node = random.chance(0.9) ? `n${random.below(4)}` : undefined;
  return world.create(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, labels: labelsOf(world) },
    spec: {
      containers: [
        {
          name: 'web',
          image: 'web',
          ports: [{ name: 'http', containerPort: random.pick([8080, 8081]), protocol: 'TCP' }],
        },
      ],
      ...(node && { nodeName: node }),
      ...(random.chance(0.2) && { hostname: name, subdomain: `s${random.below(4)}` }),
      terminationGracePeriodSeconds: random.pick([1, 5, 30]),
    },
  });
}

/** Only a pod with a node can run. */
const isBound = ({ spec }: ApiObject): boolean => (spec as Fields)['nodeName'] !== undefined;

const labelsOf = ({ random }: World): Readonly<Record<string, string>> => ({
  app: random.pick(['a', 'a', 'b', 'c']),
  ...(random.chance(0.3) && { tier: random.pick(['front', 'back']) }),
});

async function startPod(world: World): Promise<void> {
  const pod = world.anyOf(pods, (each) => (each['status'] as Fields)['podIP'] === undefined && isBound(each));
  if (pod) await world.change(pods, withStatus(pod, running(world, freshAddresses(world), world.random.chance(0.7))), 'status');
}

async function turnReadiness(world: World): Promise<void> {
  const pod = world.anyOf(pods, ({ status }) => (status as Fields)['podIP'] !== undefined);
  if (!pod) return;
  const { conditions } = pod['status'] as { readonly conditions?: readonly Fields[] };
  const wasReady = conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  await world.change(pods, withStatus(pod, { conditions: [ready(world, !wasReady)] }), 'status');
}

async function relabel(world: World): Promise<void> {
  const pod = world.anyOf(pods);
  if (pod) await world.change(pods, labelled(pod, labelsOf(world)));
}

/** A change that the controllers ignore. */
async function annotate(world: World): Promise<void> {
  const pod = world.anyOf(pods);
  if (pod) await world.change(pods, annotated(pod, { note: String(world.next()) }));
}

async function finish(world: World): Promise<void> {
  const pod = world.anyOf(pods, ({ status }) => (status as Fields)['phase'] === 'Running');
  if (pod) await world.change(pods, withStatus(pod, { phase: world.random.pick(['Succeeded', 'Failed']) }), 'status');
}

async function endSlowly(world: World): Promise<void> {
  const pod = world.anyOf(pods, ({ metadata }) => metadata.deletionTimestamp === undefined);
  if (pod) await world.remove(pods, pod);
}

async function vanish(world: World): Promise<void> {
  const pod = world.anyOf(pods);
  if (pod) await world.remove(pods, pod, 0);
}

/** Deletes and recreates a pod at once, as a StatefulSet does: the same name, and often the same address. */
async function replace(world: World): Promise<void> {
  const pod = world.anyOf(pods, ({ status }) => (status as Fields)['podIP'] !== undefined);
  if (!pod) return;
  await world.remove(pods, pod, 0);
  const { namespace, name, labels } = pod.metadata;
  const { nodeName, hostname, subdomain, containers } = pod['spec'] as Fields;
  const spec = { nodeName, hostname, subdomain, containers };
  const again = await world.create(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: namespace as string, name: name as string, ...(labels && { labels }) },
    spec: Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined)),
  });
  if (!again) return;
  const { podIPs } = pod['status'] as { readonly podIPs: readonly Fields[] };
  const addresses = world.random.chance(0.7) ? podIPs.map(({ ip }) => ip as string) : freshAddresses(world);
  await world.change(pods, withStatus(again, running(world, addresses, world.random.chance(0.8))), 'status');
}

async function changeAddress(world: World): Promise<void> {
  const pod = world.anyOf(pods, ({ status }) => (status as Fields)['podIP'] !== undefined);
  if (pod) await world.change(pods, withStatus(pod, addressesOf(freshAddresses(world))), 'status');
}

/** New addresses, or those of a deleted or finished pod. */
function freshAddresses(world: World): readonly string[] {
  const { random, chronicle } = world;
  const taken = new Set(
    namespaces.flatMap((namespace) =>
      chronicle
        .all(pods, namespace, everything)
        .filter(({ status }) => !['Succeeded', 'Failed'].includes((status as Fields)['phase'] as string))
        .map(({ status }) => (status as Fields)['podIP']),
    ),
  );
  let number = 1 + random.below(40);
  while (taken.has(`10.1.0.${number}`)) number += 1;
  return random.chance(0.6) ? [`10.1.0.${number}`, `fd00::${number}`] : [`10.1.0.${number}`];
}

const running = (world: World, addresses: readonly string[], isReady: boolean): Fields => ({
  phase: 'Running',
  ...addressesOf(addresses),
  conditions: [ready(world, isReady)],
});

const addressesOf = (addresses: readonly string[]): Fields => ({ podIP: addresses[0], podIPs: addresses.map((ip) => ({ ip })) });

/** Each change has its own transition time. */
const ready = (world: World, isReady: boolean): Fields => ({
  type: 'Ready',
  status: isReady ? 'True' : 'False',
  lastTransitionTime: `${new Date(epoch + world.next() * 1000).toISOString().slice(0, 19)}Z`,
});

const withStatus = (pod: ApiObject, status: Fields): ApiObject => ({ ...pod, status: { ...(pod['status'] as Fields), ...status } });
