import type { Command } from 'commander';
import { parseControllerNames } from './cloud.ts';
import { addReleaseFlags, createMaxEndpointsOption, createWholeNumberParser } from './common.ts';
import { createDurationOption, parseDuration } from './duration.ts';
import { addMirroringFlags } from './mirroring.ts';

/** Adds the flags of all controllers: the cluster, the release, and how they work. */
export const addControllerFlags = (command: Command): Command =>
  addMirroringFlags(
    addReleaseFlags(
      command
        .option('--kubeconfig <FILE>', 'the kubeconfig of the cluster')
        .option('--context <NAME>', 'the context of the kubeconfig to use')
        .option(
          '--controllers <NAMES>',
          'the controllers to run, separated by commas: endpoints, endpointslices, endpointslicemirroring, service-lb (default: all but service-lb)',
          parseControllerNames,
        ),
      { asCluster: false },
    )
      .option('--workers <N>', 'how many Services endpoints and endpointslices sync at the same time', createWholeNumberParser(1, 999), 5)
      .addOption(createMaxEndpointsOption())
      .addOption(
        createDurationOption(
          '--batch-period <DURATION>',
          'how long pod changes are batched, as --endpoint-updates-batch-period of kube-controller-manager',
          parseDuration,
          0,
        ),
      ),
  );
