import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { PolicyWorld } from '../../oracle/policy/case.ts';
import type { PacketProbe } from './probes.ts';
import { hosts, nodeNames, ports } from './topology.ts';

/** What happened to the packets of a world. */
export interface PacketAnswer {
  readonly id: string;
  /** The number of packets that the engine decided about. */
  readonly packets: number;
  /** One per probe: the namespace and port that replied, "rejected", or an error. */
  readonly results: readonly string[];
}

/** The program that filters and sends packets. */
export interface PacketProgram {
  /** Replaces the objects of the engine, sends the packets of all probes, and waits for their replies or errors. */
  send(world: PolicyWorld, probes: readonly PacketProbe[]): Promise<PacketAnswer>;
  stop(): Promise<void>;
}

/** Starts the program in the namespaces of the network, which have to exist. */
export function startPackets(path: string): PacketProgram {
  const child = spawn(path, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const write = (value: unknown): boolean => child.stdin.write(`${JSON.stringify(value)}\n`);
  // An exit ends the lines, which reports the error.
  child.stdin.on('error', () => undefined);
  write({ filters: nodeNames, hosts, ports });
  return {
    async send({ probes: _, ...world }, probes) {
      write({
        world,
        probes: probes.map(({ source, from, to, port, protocol }) => ({ namespace: source, from: from.ip, to: to.ip, port, protocol })),
      });
      const { value, done } = await lines.next();
      if (done) throw new Error(`the program that filters packets ended with ${child.exitCode ?? child.signalCode}`);
      return JSON.parse(value) as PacketAnswer;
    },
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}
