import { type ApiServer, createApiServer } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { afterEach } from 'vitest';
import { createHost, type Host, type HostOptions } from '../../src/host/host.ts';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { nodeFor, podFor, serviceFor } from '../controllers/objects.ts';
import { createClock, type ManualClock } from '../queue/clock.ts';

export interface RunningHost {
  readonly host: Host;
  readonly reported: readonly RuntimeEvent[];
  /** Resolves when the host has ended. */
  stop(): Promise<void>;
}

export interface Cluster {
  readonly server: ApiServer;
  readonly clock: ManualClock;
  start(options?: Partial<HostOptions>): RunningHost;
  /** The holder of the Lease; empty if it was released. */
  readLeaseHolder(name?: string): Promise<string>;
  /** The number of Endpoints in the namespace shop. */
  countEndpoints(): Promise<number>;
}

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close();
});

export async function createCluster(services: readonly string[]): Promise<Cluster> {
  const clock = createClock();
  const pods = services.map((name) => podFor(`${name}-1`, { app: name }));
  const objects = [nodeFor('n1'), ...services.map((name) => serviceFor(name)), ...pods];
  const server = await createApiServer({ clock, background: false, endsPods: false, objects });
  cleanups.push(() => server.close());
  return {
    server,
    clock,
    start(options = {}) {
      const reported: RuntimeEvent[] = [];
      const host = createHost({
        port: server.client,
        clock,
        random: () => 0.5,
        onEvent: (event) => void reported.push(event),
        ...options,
      });
      const abortController = new AbortController();
      const running = host.run(abortController.signal);
      cleanups.push(async () => {
        abortController.abort();
        await clock.pass(60_000);
        await running.catch(() => undefined);
      });
      return {
        host,
        reported,
        stop() {
          abortController.abort();
          return running;
        },
      };
    },
    async readLeaseHolder(name = 'kube-endpoints') {
      const { spec } = await server.client.get(resources.leases, { namespace: 'kube-system', name });
      return (spec as { readonly holderIdentity?: string }).holderIdentity ?? '';
    },
    async countEndpoints() {
      return (await server.client.list(resources.endpoints, { namespace: 'shop' })).items.length;
    },
  };
}

export const countWrites = ({ reported }: RunningHost): number =>
  reported.reduce((sum, each) => sum + (each.kind === 'synced' ? each.writes : 0), 0);
export const replicaOptions = (identity: string): Partial<HostOptions> => ({ identity, leaderElection: {} });

export type Gate = ReturnType<typeof createGate>;

export const gatedReplicaOptions = ({ server }: Cluster, { port }: Gate): Partial<HostOptions> => ({
  ...replicaOptions('a'),
  controllers: ['endpoints'],
  port,
  leasePort: server.client,
});

/** A port whose creates wait until `open` is called or their signal is aborted. */
export function createGate(
  port: ClientPort,
  { ignoresAbort = false }: { readonly ignoresAbort?: boolean } = {},
): { readonly port: ClientPort; readonly waitingCount: number; open(): void } {
  const waiting: (() => void)[] = [];
  return {
    port: {
      ...port,
      create: async (resource, object, options): Promise<ApiObject> => {
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          if (!ignoresAbort) options?.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error), { once: true });
        });
        return port.create(resource, object, options);
      },
    },
    get waitingCount() {
      return waiting.length;
    },
    open() {
      for (const resolve of waiting) resolve();
    },
  };
}
