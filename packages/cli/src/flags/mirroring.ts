import type { HostOptions } from '@kube-endpoints/controllers';
import type { ControllerName } from '@kube-endpoints/controllers/internal';
import type { Command } from 'commander';
import { createWholeNumberParser } from './common.ts';
import { createDurationOption, parseDuration } from './duration.ts';

/** Flags of the controller endpointslicemirroring, with the names and defaults of kube-controller-manager. */
export interface MirroringFlags {
  readonly mirroringConcurrentServiceEndpointSyncs: number;
  readonly mirroringMaxEndpointsPerSubset: number;
  /** In milliseconds. */
  readonly mirroringEndpointsliceUpdatesBatchPeriod: number;
}

export const addMirroringFlags = (command: Command): Command =>
  command
    .option(
      '--mirroring-concurrent-service-endpoint-syncs <N>',
      'the number of Services that endpointslicemirroring syncs at the same time',
      createWholeNumberParser(1, 999),
      5,
    )
    .option(
      '--mirroring-max-endpoints-per-subset <N>',
      'the number of addresses of each subset that endpointslicemirroring mirrors, from 1 to 1000',
      createWholeNumberParser(1, 1000),
      1000,
    )
    .addOption(
      createDurationOption(
        '--mirroring-endpointslice-updates-batch-period <DURATION>',
        'how long endpointslicemirroring batches changes of slices; changes of Endpoints are handled immediately',
        parseDuration,
        0,
      ),
    );

/** Returns an error message if a mirroring flag is given but its controller does not run; otherwise undefined. */
export function findMirroringProblem(flags: readonly string[], controllers: readonly ControllerName[] | undefined): string | undefined {
  const flag = flags.find((name) => name.startsWith('--mirroring-'));
  if (flag === undefined || controllers?.includes('endpointslicemirroring') !== false) return undefined;
  return `${flag} is for the controller endpointslicemirroring: leave it out, or add that to --controllers`;
}

/** Returns the options of the mirroring controller that the flags set. */
export const mirroringOptionsOf = (flags: MirroringFlags): NonNullable<HostOptions['mirroring']> => ({
  workers: flags.mirroringConcurrentServiceEndpointSyncs,
  maxEndpointsPerSubset: flags.mirroringMaxEndpointsPerSubset,
  batchPeriod: flags.mirroringEndpointsliceUpdatesBatchPeriod,
});
