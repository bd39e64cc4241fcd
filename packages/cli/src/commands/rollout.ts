import type { Command } from 'commander';
import { objectKey } from 'kube-endpoints/internal/apimachinery';
import type { IO, PrintMessage } from '../base/io.ts';
import { collectValues, type Invocation, type OnParsed } from '../flags/common.ts';
import { addSimulationFlags, requireFiles, type SimulationFlags, simulate } from './simulation.ts';

interface RolloutFlags extends SimulationFlags {
  readonly command: 'rollout';
  readonly change: readonly string[];
}

export function configure(command: Command, onParsed: OnParsed): void {
  addSimulationFlags(command)
    .requiredOption(
      '--change <FILE>',
      'the objects that the change applies, such as a Deployment with a new image; repeatable',
      collectValues,
    )
    .action((options) => {
      requireFiles(command);
      onParsed([], { command: 'rollout', ...options } as RolloutFlags, run);
    });
}

const run = (invocation: Invocation<RolloutFlags>, io: IO, printMessage: PrintMessage): Promise<number> =>
  simulate(
    invocation,
    {
      kind: 'Simulated rollout',
      subject: (change) => change.map(({ kind, metadata }) => `${kind} ${objectKey({ metadata })}`).join(', '),
      filenames: invocation.change,
      check: ({ checkRollout }, options, change) => checkRollout({ ...options, change }),
    },
    io,
    printMessage,
  );
