import type { Controller, ControllerContext, Queue, Steps } from '../../controller/controller.ts';
import { createMarkingController } from './assigned-pods.ts';
import { type MonitorState, monitorNodes } from './monitor.ts';
import { createNodeUpdateController } from './node-updates.ts';
import { type NodeLifecycleOptions, nodeLifecycleDefaults } from './options.ts';
import { createTaintingController, type TaintPasses } from './tainting.ts';
import { createZones } from './zones.ts';

/**
 * Creates the node lifecycle controller, which marks nodes that give no sign of life, and taints nodes that are not ready (1.36,
 * pkg/controller/nodelifecycle/node_lifecycle_controller.go). Its parts have a queue each: the periodic check of all nodes, changes of nodes, pods
 * that are assigned to nodes, and the rate-limited NoExecute taints.
 */
export function createNodeLifecycleControllers(
  context: ControllerContext,
  options: NodeLifecycleOptions = nodeLifecycleDefaults,
): readonly Controller[] {
  const zones = createZones(options);
  const tainting: TaintPasses & { readonly controller: Controller } = createTaintingController(context, zones);
  const state: MonitorState = {
    ...{ context, cache: context.cache, now: context.now, options, zones },
    health: new Map(),
    knownNodes: new Map(),
    nodesToRetry: new Set(),
    onTaintQueue: tainting.schedule,
  };
  return [
    createMonitor(state),
    createNodeUpdateController(context, (node) => void state.nodesToRetry.delete(node)),
    createMarkingController(state),
    tainting.controller,
  ];
}

/** The check of all nodes. The next one follows a period after the end of the last one. */
const createMonitor = (state: MonitorState): Controller => ({
  name: 'node-lifecycle',
  kinds: ['Lease', 'Node', 'Pod'],
  attach: (queue: Queue) => queue.add(key),
  handle: () => {},
  *sync(_key, queue): Steps {
    yield* monitorNodes(state);
    queue.addAfter(key, state.options.monitorPeriod);
  },
});

const key = 'nodes';
