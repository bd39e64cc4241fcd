import { type ApiServer, createApiServer } from '@kube-endpoints/apiserver';
import { cleanupFinalizer } from 'kube-endpoints/internal';
import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { createServiceLoadBalancer, type ServiceLoadBalancer, type ServiceLoadBalancerOptions } from '../../src/service-lb/index.ts';
import type { LoadBalancerObserver } from '../../src/service-lb/load-balancer-event.ts';
import { createClock, flushPromises, type ManualClock } from '../queue/clock.ts';
import { createCloud, type TestCloud } from './cloud.ts';

export interface FixtureOptions extends Partial<Omit<ServiceLoadBalancerOptions, 'port' | 'clock' | 'cloud'>> {
  readonly objects?: readonly ApiObject[];
  readonly cloud?: TestCloud;
  /** Wraps the port between the controller and the server. */
  readonly wrapPort?: (port: ClientPort) => ClientPort;
}

/** The service load-balancer controller with an embedded API server and a cloud, on a manual clock. */
export interface Fixture extends AsyncDisposable {
  readonly server: ApiServer;
  readonly client: ClientPort;
  readonly clock: ManualClock;
  readonly cloud: TestCloud;
  readonly controller: ServiceLoadBalancer;
  readonly runtimeEvents: readonly ReportedEvent[];
  /** Advances the clock, by 3 seconds by default. */
  pass(milliseconds?: number): Promise<void>;
  /** Runs a controller; creates a new one if one has already run. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Aborts the controller without waiting for it. */
  abort(): void;
  readonly isRunning: boolean;
  get(name: string): Promise<ApiObject | undefined>;
  /** Changes a Service by a merge patch. */
  change(name: string, patch: object): Promise<ApiObject>;
  delete(name: string): Promise<unknown>;
  /** The Events about a Service in time order, each as "reason: message". */
  readEvents(name: string): Promise<string[]>;
  /** The results of the syncs of a Service, each as "outcome failures". */
  readSyncOutcomes(name: string): string[];
}

/** Creates a Service of type LoadBalancer in the namespace "shop". */
export const loadBalancerService = (name: string, spec: Readonly<Record<string, unknown>> = {}, metadata: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'shop', name, ...metadata },
  spec: { type: 'LoadBalancer', selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }], ...spec },
});

export const makeNode = (
  name: string,
  fields: { readonly labels?: Readonly<Record<string, string>>; readonly spec?: object } = {},
): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, ...(fields.labels && { labels: fields.labels }) },
  ...(fields.spec && { spec: fields.spec }),
  status: { conditions: [{ type: 'Ready', status: 'True' }], addresses: [{ type: 'InternalIP', address: '10.9.0.1' }] },
});

/** Whether a Service has the cleanup finalizer, and the IP addresses in its status. */
export const stateOf = (service: ApiObject | undefined): unknown =>
  service && {
    finalizer: service.metadata.finalizers?.includes(cleanupFinalizer) ?? false,
    ips: (
      (service['status'] as { readonly loadBalancer?: { readonly ingress?: readonly { readonly ip: string }[] } } | undefined)?.loadBalancer
        ?.ingress ?? []
    ).map(({ ip }) => ip),
  };

const shopNamespace: ApiObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };

/** The RuntimeEvents of the controller. */
type ReportedEvent = Parameters<LoadBalancerObserver>[0];

export async function createFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const { objects = [], cloud = createCloud(), wrapPort = (port) => port, ...controllerOptions } = options;
  const clock = createClock();
  const server = await createApiServer({ clock, eventTTL: 0, objects: [shopNamespace, ...objects] });
  const events: ReportedEvent[] = [];
  const onEvent = (event: ReportedEvent): void => {
    events.push(event);
    controllerOptions.onEvent?.(event);
  };
  const pass = async (milliseconds = 3000): Promise<void> => {
    await clock.pass(milliseconds);
    await flushPromises();
  };
  const createController = (): ServiceLoadBalancer =>
    createServiceLoadBalancer({ random: () => 0.5, ...controllerOptions, cloud, clock, onEvent, port: wrapPort(server.client) });
  const { start, stop, abort, ...runner } = createRunner(createController, pass);
  return {
    ...{
      server,
      client: server.client,
      clock,
      cloud,
      runtimeEvents: events,
      pass,
      start,
      stop,
      abort,
      ...createClientMethods(server, events),
    },
    get controller() {
      return runner.controller();
    },
    get isRunning() {
      return runner.isRunning();
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await server.close();
    },
  };
}

interface Runner extends Pick<Fixture, 'start' | 'stop' | 'abort'> {
  controller(): ServiceLoadBalancer;
  isRunning(): boolean;
}

function createRunner(createController: () => ServiceLoadBalancer, pass: Fixture['pass']): Runner {
  let controller = createController();
  let running: { readonly abortController: AbortController; readonly completion: Promise<void>; hasEnded: boolean } | undefined;
  return {
    controller: () => controller,
    isRunning: () => running !== undefined && !running.hasEnded,
    async start() {
      const abortController = new AbortController();
      const run = { abortController, completion: controller.run(abortController.signal), hasEnded: false };
      running = run;
      void run.completion.finally(() => {
        run.hasEnded = true;
      });
      await pass();
    },
    abort: () => running?.abortController.abort(),
    async stop() {
      if (!running) return;
      running.abortController.abort();
      await pass(10_000);
      await running.completion;
      running = undefined;
      controller = createController();
    },
  };
}

type ClientMethods = Pick<Fixture, 'get' | 'change' | 'delete' | 'readEvents' | 'readSyncOutcomes'>;

const createClientMethods = ({ client }: ApiServer, events: readonly ReportedEvent[]): ClientMethods => ({
  get: (name) => client.get(resources.services, { namespace: 'shop', name }).catch(() => undefined),
  change: (name, patch) => client.patch(resources.services, { namespace: 'shop', name }, patch, { type: 'merge' }),
  delete: (name) => client.delete(resources.services, { namespace: 'shop', name }),
  async readEvents(name) {
    const { items } = await client.list(resources.events, { namespace: 'shop' });
    const serviceEvents = items.filter((event) => (event['involvedObject'] as { readonly name: string }).name === name);
    return serviceEvents.sort(byTime).map(({ reason, message }) => `${String(reason)}: ${String(message)}`);
  },
  readSyncOutcomes: (name) =>
    events.flatMap((each) => (each.kind === 'synced' && each.key === `shop/${name}` ? [`${each.outcome} ${each.failures}`] : [])),
});

/** Order of creation, because the embedded server counts resourceVersion up. */
const byTime = (a: ApiObject, b: ApiObject): number => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion);
