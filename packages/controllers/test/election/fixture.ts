import { type ApiServer, createApiServer } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, resources, type SteadyClock } from 'kube-endpoints/port';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { createMachine, type Machine } from './simulation/machine.ts';
import { createSimulator, type Simulator } from './simulation/simulator.ts';

/** An API server and a machine, both without faults. */
export interface Fixture {
  readonly simulator: Simulator;
  readonly server: ApiServer;
  readonly machine: Machine;
  readonly reportedEvents: RuntimeEvent[];
  readLease(name?: string): Promise<ApiObject>;
}

export async function createFixture(): Promise<Fixture> {
  const simulator = createSimulator({ seed: 1 });
  const machine = createMachine(simulator);
  const server = await createApiServer({ clock: machine.clock, background: false });
  return {
    simulator,
    server,
    machine,
    reportedEvents: [],
    readLease: (name = 'controllers') => server.client.get(resources.leases, { namespace: 'kube-system', name }),
  };
}

/** The common dependencies of locks, elections and sharding in these tests. */
export interface CommonOptions {
  readonly port: ClientPort;
  readonly clock: SteadyClock;
  readonly random: () => number;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
}

export const commonOptions = ({ server, machine }: Fixture, identity = 'a'): CommonOptions => ({
  port: server.client,
  clock: machine.clock,
  random: () => 0.5,
  namespace: 'kube-system',
  name: 'controllers',
  identity,
});

export const specOf = (lease: ApiObject): Record<string, unknown> => lease['spec'] as Record<string, unknown>;
