import type { Environment } from '@kube-endpoints/simulator';
import type { Command } from 'commander';
import { exitCodes, type IO, type PrintMessage } from '../base/io.ts';
import type { Invocation, OnParsed } from '../flags/common.ts';
import { addSimulationFlags, type SimulationFlags, simulate } from './simulation.ts';

interface SimulateFlags extends SimulationFlags {
  readonly command: 'simulate';
  readonly scenario: string;
}

export function configure(command: Command, onParsed: OnParsed): void {
  addSimulationFlags(command)
    .requiredOption('--scenario <FILE>', 'a YAML or JSON file with objects, steps, faults and override rules, and their times')
    .action((options) => onParsed([], { command: 'simulate', ...options } as SimulateFlags, run));
}

async function run(invocation: Invocation<SimulateFlags>, io: IO, printMessage: PrintMessage): Promise<number> {
  const { scenario: path, flags, ranges } = invocation;
  const { readScenario } = await import('../input/scenario.ts');
  const scenario = await readScenario(path, flags.namespace || 'default', io, printMessage);
  if (!scenario) return exitCodes.error;
  const { createOverrides } = await import('@kube-endpoints/overrides');
  return simulate(
    invocation,
    {
      kind: 'Simulated scenario',
      subject: () => path,
      // The check has refused clients of another shape.
      clients: scenario.fields['clients'] as Environment['clients'],
      objects: scenario.objects,
      source: ranges === undefined ? path : `${path} with --ranges ${ranges}`,
      check: ({ checkSimulation }, options) => checkSimulation({ ...scenario.fields, ...options, createOverrides }),
    },
    io,
    printMessage,
  );
}
