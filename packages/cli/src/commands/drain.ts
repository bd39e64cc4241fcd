import type { Command } from 'commander';
import type { IO, PrintMessage } from '../base/io.ts';
import { collectValues, type Invocation, type OnParsed } from '../flags/common.ts';
import { addSimulationFlags, requireFiles, type SimulationFlags, simulate } from './simulation.ts';

interface DrainFlags extends SimulationFlags {
  readonly command: 'drain';
  readonly node: readonly string[];
}

export function configure(command: Command, onParsed: OnParsed): void {
  addSimulationFlags(command)
    .requiredOption('--node <NAME>', 'a node to drain; repeatable, in the order in which they are drained', collectValues)
    .action((options) => {
      requireFiles(command);
      onParsed([], { command: 'drain', ...options } as DrainFlags, run);
    });
}

const run = (invocation: Invocation<DrainFlags>, io: IO, printMessage: PrintMessage): Promise<number> =>
  simulate(
    invocation,
    {
      kind: 'Simulated drain',
      subject: () => `Node ${invocation.node.join(', ')}`,
      check: ({ checkDrain }, options) => checkDrain({ ...options, nodes: invocation.node }),
    },
    io,
    printMessage,
  );
