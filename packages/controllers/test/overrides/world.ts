import { createFunctionAdmission } from '@kube-endpoints/apiserver';
import { admissionFunctionOf, createOverrides, type OverrideRule } from '@kube-endpoints/overrides';
import { type ApiObject, resources } from 'kube-endpoints/port';
import type { Pod } from 'kube-endpoints/types';
import { createEndpointFeed, type FeedEvent } from '../../src/feed/index.ts';
import { createResyncScheduler, type ResyncEvent } from '../../src/resync/index.ts';
import { type ControllersFixture, createControllersFixture, nodeFor, podFor, serviceFor } from '../controllers/fixture.ts';
import { flushPromises } from '../queue/clock.ts';

const { pods } = resources;

/** Both controllers on an embedded API server with override rules as admission, a resync scheduler for the rules, and a feed. */
export interface OverridesFixture extends AsyncDisposable {
  readonly controllersFixture: ControllersFixture;
  readonly resyncs: readonly ResyncEvent[];
  /** Events of the feed since the last call. */
  takeEvents(source?: 'endpointslices' | 'endpoints'): FeedEvent[];
  pass(milliseconds: number): Promise<void>;
}

export interface OverridesFixtureOptions {
  /** The rules of the admission; if undefined, the server has no admission. */
  readonly rules?: readonly OverrideRule[];
  /** The number of pods; 3 by default. */
  readonly podCount?: number;
  readonly version?: string;
  /** Whether the rules can read the pods. */
  readonly withPods?: boolean;
  readonly withFeeds?: boolean;
}

export const podName = (number: number): string => `web-${String(number).padStart(2, '0')}`;
export const ipOf = (number: number): string => `10.0.0.${number}`;

export async function createOverridesFixture(options: OverridesFixtureOptions = {}): Promise<OverridesFixture> {
  const { rules, podCount = 3, version, withPods = false, withFeeds = false } = options;
  const host: RulesHost = { pods: undefined, resync: () => {}, now: () => new Date(0) };
  const podObjects = Array.from({ length: podCount }, (_, i) => podFor(podName(i + 1), { ip: ipOf(i + 1) }));
  const controllersFixture = await createControllersFixture({
    objects: [nodeFor('n1', 'a'), serviceFor('web'), ...podObjects],
    ...(version !== undefined && { version }),
    ...(rules && { server: { admission: [createAdmission(rules, host)] } }),
  });
  const { client, clock } = controllersFixture;
  const resyncs: ResyncEvent[] = [];
  const scheduler = createResyncScheduler({ port: client, clock, random: () => 0, onEvent: (event) => void resyncs.push(event) });
  host.now = () => new Date(clock.now());
  host.resync = scheduler.at;
  const controller = new AbortController();
  const tasks = [scheduler.run(controller.signal)];
  if (withPods) tasks.push(followPods(controllersFixture, controller.signal, host));
  await controllersFixture.start();
  // Waits until rules no longer hold back the new pods.
  await controllersFixture.pass(60_000);
  const events = { endpointslices: [] as FeedEvent[], endpoints: [] as FeedEvent[] };
  if (withFeeds) for (const source of feedSources) tasks.push(followFeed(controllersFixture, source, events[source], controller.signal));
  await controllersFixture.pass(100);
  controllersFixture.takeWrites();
  resyncs.length = 0;
  return {
    controllersFixture,
    resyncs,
    takeEvents: (source = 'endpointslices') => events[source].splice(0),
    pass: (milliseconds) => controllersFixture.pass(milliseconds),
    async [Symbol.asyncDispose]() {
      controller.abort();
      await clock.pass(5000);
      await Promise.all(tasks);
      await controllersFixture[Symbol.asyncDispose]();
    },
  };
}

const feedSources = ['endpointslices', 'endpoints'] as const;

/** The data that the rules read from their host, and the callback by which they request a resync. */
interface RulesHost {
  now: () => Date;
  resync: (key: string, due: string) => void;
  /** Undefined if the rules have no pods. */
  pods: readonly Pod[] | undefined;
}

const createAdmission = (rules: readonly OverrideRule[], host: RulesHost) =>
  createFunctionAdmission([
    admissionFunctionOf(createOverrides({ rules }), {
      now: () => host.now(),
      context: () => host.pods && { pods: host.pods },
      onResult({ namespace, serviceName }, { due }) {
        if (due !== undefined && serviceName !== undefined) host.resync(`${namespace}/${serviceName}`, due);
      },
    }),
  ]);

async function followFeed(
  { client, clock }: ControllersFixture,
  source: (typeof feedSources)[number],
  events: FeedEvent[],
  signal: AbortSignal,
): Promise<void> {
  const feed = createEndpointFeed({ port: client, clock, random: () => 0.5, source });
  const feedEnd = feed.run(signal);
  for await (const event of feed.subscribe()) events.push(event);
  await feedEnd;
}

/** Watches the pods for the rules, as a host with a pod cache does. */
async function followPods({ client }: ControllersFixture, signal: AbortSignal, host: RulesHost): Promise<void> {
  const podsByName = new Map<string, ApiObject>();
  const { items, metadata } = await client.list(pods);
  for (const pod of items) podsByName.set(pod.metadata.name ?? '', pod);
  host.pods = [...podsByName.values()] as readonly Pod[];
  try {
    for await (const { type, object } of client.watch(pods, { resourceVersion: metadata.resourceVersion, signal })) {
      if (type === 'DELETED') podsByName.delete(object.metadata.name ?? '');
      else if (type !== 'BOOKMARK') podsByName.set(object.metadata.name ?? '', object);
      host.pods = [...podsByName.values()] as readonly Pod[];
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Sets the condition like the kubelet, with the current time. */
export async function setReady({ client, clock }: ControllersFixture, number: number, ready: boolean): Promise<void> {
  const lastTransitionTime = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime }];
  await client.patch(
    pods,
    { namespace: 'shop', name: podName(number) },
    { status: { conditions } },
    { type: 'merge', subresource: 'status' },
  );
  await flushPromises();
}
