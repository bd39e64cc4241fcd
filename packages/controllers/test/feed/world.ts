import { type ApiServer, createApiServer, createFaults, type FaultRule, type Faults } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { createEndpointFeed, type EndpointFeed, type EndpointFeedOptions, type FeedEvent } from '../../src/feed/index.ts';
import { createClock, type ManualClock, settle } from '../queue/clock.ts';

export { settle } from '../queue/clock.ts';

/** A feed over an embedded API server, with injected faults and a manual clock. */
export interface World extends AsyncDisposable {
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

export interface WorldOptions extends Partial<Omit<EndpointFeedOptions, 'port' | 'clock'>> {
  readonly objects?: readonly ApiObject[];
  readonly rules?: readonly FaultRule[];
  readonly seed?: number;
}

export async function createWorld({ objects = [], rules = [], seed = 1, ...options }: WorldOptions = {}): Promise<World> {
  const clock = createClock();
  const server = await createApiServer({ clock, background: false });
  const { client } = server;
  for (const name of ['shop', 'bank']) await client.create(resources.namespaces, { metadata: { name } });
  for (const object of objects) await client.create(resourceOf(object), object);
  const faults = createFaults({ clock, seed, rules, store: { revision: 0, compact: () => server.compact() } });
  const feed = createEndpointFeed({ random: () => 0.5, ...options, port: faults.port(client), clock });
  const end = new AbortController();
  let done: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    end.abort();
    if (done) await clock.pass(5000);
    await done;
  };
  return {
    server,
    client,
    faults,
    clock,
    feed,
    async start() {
      done = feed.run(end.signal);
      await clock.pass(100);
      await settle();
    },
    stop,
    async pass(milliseconds) {
      await clock.pass(milliseconds);
      await settle();
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await server.close();
    },
  };
}

const resourceOf = ({ kind }: ApiObject) =>
  kind === 'Endpoints' ? resources.endpoints : kind === 'Service' ? resources.services : resources.endpointSlices;

/** Consumes events as they arrive. */
export function follow(feed: EndpointFeed, signal?: AbortSignal): { take(): FeedEvent[]; readonly ended: Promise<void> } {
  const events: FeedEvent[] = [];
  const run = async (): Promise<void> => {
    for await (const event of feed.subscribe(signal)) events.push(event);
  };
  return { take: () => events.splice(0), ended: run() };
}

export interface EndpointShape {
  readonly ready?: boolean;
  readonly serving?: boolean;
  readonly terminating?: boolean;
  readonly uid?: string;
  readonly nodeName?: string;
}

export interface SliceShape {
  readonly name?: string;
  readonly namespace?: string;
  readonly ports?: readonly object[];
}

/** A slice of a Service; addresses are given by their last octet. */
export function sliceFor(
  service: string,
  endpoints: Readonly<Record<number, EndpointShape>>,
  { name = `${service}-1`, namespace = 'shop', ports = [{ name: 'http', port: 8080, protocol: 'TCP' }] }: SliceShape = {},
): ApiObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace, name, labels: { 'kubernetes.io/service-name': service } },
    addressType: 'IPv4',
    ports,
    endpoints: Object.entries(endpoints).map(([last, { uid, nodeName, ...conditions }]) => ({
      addresses: [`10.0.0.${last}`],
      conditions,
      ...(nodeName && { nodeName }),
      ...(uid && { targetRef: { kind: 'Pod', namespace, name: `web-${last}`, uid } }),
    })),
  };
}

/** A short form of an event: "full shop/web 1,2", "changed shop/web +3 ~2 -1". */
export function say(event: FeedEvent): string {
  const last = ({ address }: { readonly address: string }): string => address.slice(address.lastIndexOf('.') + 1);
  const list = (sign: string, of: readonly { readonly address: string }[]): string[] => (of.length > 0 ? [sign + of.map(last).join()] : []);
  if (event.type === 'complete') return `complete ${event.services}`;
  if (event.type === 'gone') return `gone ${event.key}`;
  if (event.type === 'full') return `full ${event.key} ${event.endpoints.map(last).join() || 'none'}`;
  return ['changed', event.key, ...list('+', event.added), ...list('~', event.updated), ...list('-', event.removed)].join(' ');
}
