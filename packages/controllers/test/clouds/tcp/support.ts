import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { BalancedNode, BalancedService } from 'kube-endpoints/load-balancer';
import { onTestFinished } from 'vitest';
import { createTcpCloud, type TcpCloud, type TcpCloudOptions } from '../../../src/clouds/index.ts';
import { createClock, type ManualClock } from '../../queue/clock.ts';
import { makeNode, makeService, withNodes } from '../objects.ts';

/** A server that acts as the node port of a node. */
export interface Backend {
  readonly node: BalancedNode;
  readonly address: string;
  readonly nodePort: number;
  readonly server: Server;
  /** The open connections. */
  readonly sockets: ReadonlySet<Socket>;
  /** Stops listening; open connections continue. */
  stop(): void;
  /** Listens again on the same address and port. */
  start(): Promise<void>;
}

/** Starts a backend that greets with its name, then echoes its input in upper case. */
export async function startGreeter(name: string, address: string, port = 0): Promise<Backend> {
  return startBackend({ name, address, port }, (socket) => {
    socket.write(`${name}:`);
    socket.on('data', (data) => socket.write(data.toString().toUpperCase()));
    socket.on('end', () => socket.end());
  });
}

export interface BackendOptions {
  readonly name: string;
  readonly address: string;
  readonly port?: number;
}

export async function startBackend({ name, address, port = 0 }: BackendOptions, serve: (socket: Socket) => void): Promise<Backend> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    serve(socket);
  });
  const start = async (listenPort: number): Promise<void> => {
    server.listen(listenPort, address);
    await once(server, 'listening');
  };
  await start(port);
  const { port: nodePort } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    node: makeNode(name, address),
    address,
    nodePort,
    server,
    sockets,
    stop: () => void server.close(),
    start: () => start(nodePort),
  };
}

/** Starts to connect. Returns a socket that may not be connected yet; closes it after the test. */
export function dial(options: NetConnectOpts): Socket {
  const socket = connect({ allowHalfOpen: true, ...options });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Sends a text, ends, and returns the whole response. @throws the error of the connection */
export async function converse(options: NetConnectOpts, message = 'hello'): Promise<string> {
  const socket = dial(options);
  socket.end(message);
  return text(socket);
}

/** Reads the next chunk. */
export const readChunk = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0]);

/** Waits until the connection is closed, and returns whether it was reset. */
export async function waitForClose(socket: Socket): Promise<'reset' | 'end'> {
  let reset = false;
  socket.on('error', () => {
    reset = true;
  });
  socket.resume();
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return reset ? 'reset' : 'end';
}

export interface TcpFixture {
  readonly cloud: TcpCloud;
  readonly clock: ManualClock;
  /** The reported events, one line each. */
  readonly reportedEvents: string[];
}

/** A cloud with one load balancer. */
export interface BalancedCloudFixture extends TcpFixture {
  readonly service: BalancedService;
  readonly frontend: { readonly host: string; readonly port: number };
}

/** Addresses unique to this test file, since test files run in parallel. */
export interface TestNetwork {
  readonly range: string;
  /** Returns an address by its last byte. Services may request 1 to 239; backends listen on 240 and above. */
  address(last: number): string;
  /** Creates a cloud with a manual clock. */
  createTcpFixture(options?: TcpCloudOptions): TcpFixture;
  /** Starts backends on one node port, each at its own address. */
  startBackends(...names: readonly string[]): Promise<[Backend, ...Backend[]]>;
  /** Creates a cloud with one load balancer for these backends. */
  createBalancedCloud(backends: readonly [Backend, ...Backend[]], spec?: Spec, options?: TcpCloudOptions): Promise<BalancedCloudFixture>;
}

export type Spec = NonNullable<BalancedService['spec']>;

/** The port of all Services, unless a test sets another port. */
export const port = 18_480;

export function createTestNetwork(network: number): TestNetwork {
  const range = `127.0.${network}.0/24`;
  const address = (last: number): string => `127.0.${network}.${last}`;
  const createTcpFixture = (options: TcpCloudOptions = {}): TcpFixture => createCloudWithClock({ addresses: range, ...options });
  return {
    range,
    address,
    createTcpFixture,
    async startBackends(...names) {
      const [first = 'a', ...others] = names;
      const firstBackend = await startGreeter(first, address(240));
      const otherBackends: Backend[] = [];
      for (const [i, name] of others.entries()) otherBackends.push(await startGreeter(name, address(241 + i), firstBackend.nodePort));
      return [firstBackend, ...otherBackends];
    },
    async createBalancedCloud(backends, spec, options) {
      const fixture = createTcpFixture(options);
      const service = serviceFor(backends[0], spec);
      const nodes = backends.map(({ node }) => node);
      const { ingress } = await fixture.cloud.balancers.ensure(withNodes(service, nodes));
      return { ...fixture, service, frontend: { host: ingress?.[0]?.ip ?? '', port } };
    },
  };
}

/** A Service with one port that maps to the node port of the backends. */
export const serviceFor = ({ nodePort }: Backend, spec: Spec = {}, name = 'web'): BalancedService =>
  makeService(name, { ports: [{ port, nodePort }], ...spec });

/** Connects this many times, and returns the names of the backends that greeted. */
export async function collectGreetings(
  count: number,
  frontend: { readonly host: string; readonly port: number },
  localAddress?: string,
): Promise<string[]> {
  const names: string[] = [];
  for (let i = 0; i < count; i++)
    names.push((await converse({ ...frontend, ...(localAddress !== undefined && { localAddress }) }, '')).replace(':', ''));
  return names;
}

function createCloudWithClock(options: TcpCloudOptions): TcpFixture {
  const clock = createClock();
  const reported: string[] = [];
  const cloud = createTcpCloud({
    clock,
    onEvent: ({ kind, reference, ...details }) =>
      void reported.push([kind, reference.name, ...Object.values(details).map(String)].join(' ')),
    ...options,
  });
  onTestFinished(() => cloud.close());
  return { cloud, clock, reportedEvents: reported };
}

/** Polls in each event loop iteration until the condition holds. */
export async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
