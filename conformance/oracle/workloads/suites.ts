import {
  createDaemonSetControllers,
  createDeploymentController,
  createDisruptionControllers,
  createJobControllers,
  createNodeLifecycleControllers,
  createReplicaSetController,
  createScheduler,
  createStatefulSetController,
  createTaintEvictionController,
  nodeLifecycleDefaults,
} from '../../../packages/simulator/src/internal.ts';
import type { Random } from '../random.ts';
import type { WorkloadCase } from './case.ts';
import { generateDaemonSets } from './generate-daemon-sets.ts';
import { generateDeployments } from './generate-deployments.ts';
import { generateDisruptions } from './generate-disruptions.ts';
import { generateJobs } from './generate-jobs.ts';
import { generateNodes } from './generate-nodes.ts';
import { generatePlacements } from './generate-placements.ts';
import { generateReplicaSets } from './generate-replica-sets.ts';
import { generateStatefulSets } from './generate-stateful-sets.ts';
import { generateTaintEvictions } from './generate-taint-evictions.ts';
import type { CreateControllers } from './replay.ts';

/** A controller that is compared with the original. */
export interface WorkloadSuite {
  /** The option of the conformance run, and the argument of the oracle. */
  readonly name: string;
  /** Names its cases in the output. */
  readonly label: string;
  readonly create: CreateControllers;
  readonly generate: (random: Random, id: string) => WorkloadCase;
}

/** Small zones count as large. The checks of nodes do not coincide with the passes of taints, whose order would be undefined. */
const nodeOptions = { ...nodeLifecycleDefaults, monitorPeriod: 5000.0625, largeClusterThreshold: 5 };

/** One row per controller. */
export const workloadSuites: readonly WorkloadSuite[] = [
  { name: 'replicasets', label: 'of ReplicaSets', create: createReplicaSetController, generate: generateReplicaSets },
  { name: 'deployments', label: 'of Deployments', create: createDeploymentController, generate: generateDeployments },
  { name: 'statefulsets', label: 'of StatefulSets', create: createStatefulSetController, generate: generateStatefulSets },
  { name: 'daemonsets', label: 'of DaemonSets', create: createDaemonSetControllers, generate: generateDaemonSets },
  { name: 'jobs', label: 'of Jobs', create: createJobControllers, generate: generateJobs },
  { name: 'disruptions', label: 'of disruptions', create: createDisruptionControllers, generate: generateDisruptions },
  { name: 'placements', label: 'of placements', create: createScheduler, generate: generatePlacements },
  { name: 'taints', label: 'of taint evictions', create: createTaintEvictionController, generate: generateTaintEvictions },
  {
    name: 'nodes',
    label: 'of nodes in zones',
    create: (context) => createNodeLifecycleControllers(context, nodeOptions),
    generate: generateNodes,
  },
];
