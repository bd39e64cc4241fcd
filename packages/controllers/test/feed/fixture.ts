import { type ApiServer, createApiServer, createFaults, type FaultRule, type Faults } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { createEndpointFeed, type EndpointFeed, type EndpointFeedOptions, type FeedEvent } from '../../src/feed/index.ts';
import { createClock, flushPromises, type ManualClock } from '../queue/clock.ts';

export { flushPromises } from '../queue/clock.ts';

/** A feed over an embedded API server, with injected faults and a manual clock. */
export interface Fixture extends AsyncDisposable {
  readonly server: ApiServer;
  /** A client without faults. */
  readonly client: ClientPort;
  readonly faults: Faults;
  readonly clock: ManualClock;
  readonly feed: EndpointFeed;
  /** Runs the feed and waits for its cache. */
  start(): Promise<void>;
  stop(): Promise<void>;
  pass(milliseconds: number): Promise<void>;
}

export interface FixtureOptions extends Partial<Omit<EndpointFeedOptions, 'port' | 'clock'>> {
  readonly objects?: readonly ApiObject[];
  readonly rules?: readonly FaultRule[];
  readonly seed?: number;
}

export async function createFixture({ objects = [], rules = [], seed = 1, ...options }: FixtureOptions = {}): Promise<Fixture> {
  const clock = createClock();
  const server = await createApiServer({ clock, background: false });
  const { client } = server;
  for (const name of ['shop', 'bank']) await client.create(resources.namespaces, { metadata: { name } });
  for (const object of objects) await client.create(resourceOf(object), object);
  const faults = createFaults({ clock, seed, rules, store: { revision: 0, compact: () => server.compact() } });
  const feed = createEndpointFeed({ random: () => 0.5, ...options, port: faults.port(client), clock });
  const controller = new AbortController();
  let running: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    controller.abort();
    if (running) await clock.pass(5000);
    await running;
  };
  return {
    server,
    client,
    faults,
    clock,
    feed,
    async start() {
      running = feed.run(controller.signal);
      await clock.pass(100);
      await flushPromises();
    },
    stop,
    async pass(milliseconds) {
      await clock.pass(milliseconds);
      await flushPromises();
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await server.close();
    },
  };
}

const resourceOf = ({ kind }: ApiObject) =>
  kind === 'Endpoints' ? resources.endpoints : kind === 'Service' ? resources.services : resources.endpointSlices;

/** Subscribes and collects events; `take` returns those since the last call. */
export function follow(feed: EndpointFeed, signal?: AbortSignal): { take(): FeedEvent[]; readonly ended: Promise<void> } {
  const events: FeedEvent[] = [];
  const run = async (): Promise<void> => {
    for await (const event of feed.subscribe(signal)) events.push(event);
  };
  return { take: () => events.splice(0), ended: run() };
}

export interface EndpointFields {
  readonly ready?: boolean;
  readonly serving?: boolean;
  readonly terminating?: boolean;
  readonly uid?: string;
  readonly nodeName?: string;
}

export interface SliceOptions {
  readonly name?: string;
  readonly namespace?: string;
  readonly ports?: readonly object[];
}

/** Creates a slice of a Service. The keys of `endpoints` are the last octets of their addresses. */
export function sliceFor(
  service: string,
  endpoints: Readonly<Record<number, EndpointFields>>,
  { name = `${service}-1`, namespace = 'shop', ports = [{ name: 'http', port: 8080, protocol: 'TCP' }] }: SliceOptions = {},
): ApiObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace, name, labels: { 'kubernetes.io/service-name': service } },
    addressType: 'IPv4',
    ports,
    endpoints: Object.entries(endpoints).map(([lastOctet, { uid, nodeName, ...conditions }]) => ({
      addresses: [`10.0.0.${lastOctet}`],
      conditions,
      ...(nodeName && { nodeName }),
      ...(uid && { targetRef: { kind: 'Pod', namespace, name: `web-${lastOctet}`, uid } }),
    })),
  };
}

/** A short form of an event: "full shop/web 1,2", "changed shop/web +3 ~2 -1". */
export function summaryOf(event: FeedEvent): string {
  const lastOctet = ({ address }: { readonly address: string }): string => address.slice(address.lastIndexOf('.') + 1);
  const list = (sign: string, endpoints: readonly { readonly address: string }[]): string[] =>
    endpoints.length > 0 ? [sign + endpoints.map(lastOctet).join()] : [];
  if (event.type === 'complete') return `complete ${event.services}`;
  if (event.type === 'gone') return `gone ${event.key}`;
  if (event.type === 'full') return `full ${event.key} ${event.endpoints.map(lastOctet).join() || 'none'}`;
  return ['changed', event.key, ...list('+', event.added), ...list('~', event.updated), ...list('-', event.removed)].join(' ');
}
