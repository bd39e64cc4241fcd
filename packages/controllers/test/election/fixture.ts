import { type ApiServer, createApiServer } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, resources, type SteadyClock } from 'kube-endpoints/port';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { createMachine, type Machine } from './simulation/machine.ts';
import { createWorld, type World } from './simulation/world.ts';

/** An API server and machines without faults. */
export interface Fixture {
  readonly world: World;
  readonly server: ApiServer;
  readonly machine: Machine;
  readonly reported: RuntimeEvent[];
  lease(name?: string): Promise<ApiObject>;
}

export async function createFixture(): Promise<Fixture> {
  const world = createWorld(1);
  const machine = createMachine(world);
  const server = await createApiServer({ clock: machine.clock, background: false });
  return {
    world,
    server,
    machine,
    reported: [],
    lease: (name = 'controllers') => server.client.get(resources.leases, { namespace: 'kube-system', name }),
  };
}

/** The common dependencies of locks, elections and sharding in these tests. */
export interface Basics {
  readonly port: ClientPort;
  readonly clock: SteadyClock;
  readonly random: () => number;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
}

export const partsOf = ({ server, machine }: Fixture, identity = 'a'): Basics => ({
  port: server.client,
  clock: machine.clock,
  random: () => 0.5,
  namespace: 'kube-system',
  name: 'controllers',
  identity,
});

export const specOf = (lease: ApiObject): Record<string, unknown> => lease['spec'] as Record<string, unknown>;
