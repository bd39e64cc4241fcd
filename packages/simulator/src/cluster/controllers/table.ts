import { createDaemonSetControllers } from '../../workloads/daemon-set/controller.ts';
import { createDeploymentController } from '../../workloads/deployment/controller.ts';
import { createDisruptionControllers } from '../../workloads/disruption/controller.ts';
import { createJobControllers } from '../../workloads/job/controller.ts';
import { createNodeLifecycleControllers } from '../../workloads/node-lifecycle/controller.ts';
import { createReplicaSetController } from '../../workloads/replica-set/controller.ts';
import { createStatefulSetController } from '../../workloads/stateful-set/controller.ts';
import { createTaintEvictionController } from '../../workloads/taint-eviction/controller.ts';
import type { ControllerEntry } from '../controller-host.ts';
import { createEndpointSliceController } from './endpoint-slices.ts';
import { createEndpointsController } from './endpoints.ts';
import { createGarbageCollector } from './garbage-collector.ts';

/** The controllers of a cluster, with the default numbers of workers of kube-controller-manager 1.36. */
export const controllers: readonly ControllerEntry[] = [
  { create: createDeploymentController, workers: 5 },
  { create: createReplicaSetController, workers: 5 },
  { create: createStatefulSetController, workers: 5 },
  { create: createDaemonSetControllers, workers: 2 },
  { create: createJobControllers, workers: 5, otherWorkers: 5 },
  { create: createDisruptionControllers, workers: 1 },
  { create: (context) => createNodeLifecycleControllers(context), workers: 1 },
  { create: createTaintEvictionController, workers: 1 },
  { create: createEndpointsController, workers: 5 },
  { create: createEndpointSliceController, workers: 5 },
  { create: createGarbageCollector, workers: 20 },
];
