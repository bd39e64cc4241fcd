import type { Controller, ControllerContext, Queue, Steps } from '../../controller/controller.ts';
import { findCondition, type Node } from './objects.ts';
import { notReady, swapTaints, unreachable } from './swap-taints.ts';
import type { TaintTurn } from './taint-queue.ts';
import type { Zones } from './zones.ts';

export interface TaintPasses {
  /** Makes sure that a pass runs if a node waits. */
  schedule(): void;
}

/**
 * The part of the controller that taints the nodes which wait, as fast as the rates of their zones allow: doNoExecuteTaintingPass. The original runs
 * a pass every 100 ms; here, passes without a waiting node are left out.
 */
export function createTaintingController(context: ControllerContext, zones: Zones): TaintPasses & { readonly controller: Controller } {
  let queue: Queue | undefined;
  let isScheduled = true;
  let lastPass = context.now();
  const isWaiting = (): boolean => [...zones.queues()].some((each) => each.isWaiting());
  const schedule = (): void => {
    if (isScheduled || !isWaiting()) return;
    isScheduled = true;
    const elapsed = context.now() - lastPass;
    queue?.addAfter(key, Math.ceil(elapsed / period) * period - elapsed);
  };
  const controller: Controller = {
    name: 'node-lifecycle-taints',
    kinds: [],
    attach(attached) {
      queue = attached;
      attached.add(key);
    },
    handle: () => {},
    *sync() {
      for (const zone of zones.queues())
        for (let turn = zone.takeTurn(context.now); turn; turn = zone.takeTurn(context.now)) yield* taintNode(context, turn);
      lastPass = context.now();
      isScheduled = isWaiting();
      if (isScheduled) queue?.addAfter(key, period);
    },
  };
  return { controller, schedule };
}

const key = 'pass';

/** NodeEvictionPeriod in milliseconds. */
const period = 100;

/** The delay of a retry for a node without a condition Ready, in milliseconds. */
const retryDelay = 50;

function* taintNode({ cache, now }: ControllerContext, turn: TaintTurn): Steps {
  const node = cache.get<Node>('Node', '', turn.node);
  const ready = findCondition(node?.status, 'Ready')?.status;
  if (node && ready === undefined) {
    turn.retryAfter(retryDelay);
    return;
  }
  if (!node || (ready !== 'False' && ready !== 'Unknown')) {
    turn.succeed();
    return;
  }
  const [added, removed] = ready === 'False' ? [notReady, unreachable] : [unreachable, notReady];
  if (yield* swapTaints(node, [added], [removed], now())) turn.succeed();
  else turn.retryAfter(0);
}
