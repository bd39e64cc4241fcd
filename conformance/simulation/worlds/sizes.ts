import type { ControllerName } from '@kube-endpoints/controllers/internal';
import { createPodWorld, createSpecialWorlds, type World, type WorldSize } from './world.ts';

const controllers: readonly ControllerName[] = ['endpoints', 'endpointslices', 'endpointslicemirroring'];

/** The controllers that do something in worlds of pods. */
const podControllers: readonly ControllerName[] = ['endpoints', 'endpointslices'];

/** Worlds that are searched completely in less than a minute together, those with the fewest states first. */
export const createSmallWorlds = (): World[] => [
  ...createWorldsOfEachController(0),
  createPodWorld({ pods: 1, replicas: 1, faults: 0 }),
  ...[1, 2, 3].flatMap((pods) => [1, 2].flatMap((replicas) => createPodWorlds({ pods, replicas, faults: 0 }))),
  ...createPodWorlds({ pods: 1, replicas: 1, faults: 1 }),
  ...createWorldsOfEachController(1),
  ...createPodWorlds({ pods: 1, replicas: 2, faults: 1 }),
  ...createPodWorlds({ pods: 2, replicas: 1, faults: 1 }),
];

/** Worlds of all sizes up to three pods, two processes and two faults. */
export const createLargeWorlds = (): World[] => [
  ...createWorldsOfEachController(0),
  ...createWorldsOfEachController(1),
  createPodWorld({ pods: 1, replicas: 1, faults: 0 }),
  ...[1, 2].flatMap((faults) => [1, 2].flatMap((pod) => createPodWorlds({ pods: 3, changed: [pod], replicas: 2, faults }))),
  ...[0, 1, 2].flatMap((faults) => [1, 2].flatMap((replicas) => [1, 2, 3].flatMap((pods) => createPodWorlds({ pods, replicas, faults })))),
];

const createWorldsOfEachController = (faults: number): World[] =>
  controllers.flatMap((controller) => createSpecialWorlds({ controller, faults }));

const createPodWorlds = (size: Omit<WorldSize, 'controller'>): World[] =>
  podControllers.map((controller) => createPodWorld({ ...size, controller }));
