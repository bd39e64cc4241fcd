import {
  type LabelSelector,
  messageOf,
  metaNamespaceKey,
  selectorMatches,
  splitMetaNamespaceKey,
} from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, hasReason } from 'kube-endpoints/port';
import {
  type Cache,
  type Change,
  type Controller,
  type ControllerContext,
  isFailure,
  type Queue,
  type Steps,
} from '../../controller/controller.ts';
import { emit } from '../../controller/effects.ts';
import { printGoJson } from '../../go/json.ts';
import type { Pod } from '../types.ts';
import { isConditionUpToDate, setAllowance, setFailure } from './conditions.ts';
import { collectDisruptedPods, countHealthyPods } from './disrupted-pods.ts';
import { computeExpectedPods } from './expected-pods.ts';
import { budgetKind, type DisruptionBudget, type DisruptionBudgetStatus, statusOf } from './objects.ts';
import { printSelector } from './selector-text.ts';
import { createStaleDisruptionController } from './stale-pods.ts';

/**
 * Creates the disruption controller, which computes the allowance of PodDisruptionBudgets (1.36, pkg/controller/disruption/disruption.go). It
 * has three queues with a worker each: budgets, budgets whose evicted pods are due, and pods whose condition may be stale.
 */
export function createDisruptionControllers(context: ControllerContext): readonly Controller[] {
  let budgetQueue: Queue | undefined;
  let recheckQueue: Queue | undefined;
  const budgets = createBudgetController(context, (key, delay) => recheckQueue?.addAfter(key, delay));
  const rechecks: Controller = {
    name: 'disruption-rechecks',
    kinds: [],
    attach(queue) {
      recheckQueue = queue;
    },
    handle: () => {},
    // biome-ignore lint/correctness/useYield: the sync makes no call
    *sync(key) {
      budgetQueue?.addRateLimited(key);
    },
  };
  const attach = (queue: Queue): void => {
    budgetQueue = queue;
  };
  return [{ ...budgets, attach }, rechecks, createStaleDisruptionController(context)];
}

type AddAfter = Queue['addAfter'];

function createBudgetController(context: ControllerContext, recheckAfter: AddAfter): Controller {
  return {
    name: 'disruption',
    kinds: ['Pod', 'ReplicationController', 'Deployment', 'ReplicaSet', 'StatefulSet', budgetKind],
    handle(change, queue) {
      if (change.kind === budgetKind) queue.add(metaNamespaceKey(subjectOf(change).metadata));
      if (change.kind === 'Pod') enqueueBudgetOf(context, subjectOf(change), queue);
    },
    *sync(key) {
      const { namespace, name } = splitMetaNamespaceKey(key);
      const budget = context.cache.get<DisruptionBudget>(budgetKind, namespace, name);
      if (!budget) return;
      try {
        yield* syncBudget(context, budget, recheckAfter);
      } catch (error) {
        if (!isFailure(error) || hasReason(error, 'Conflict')) throw error;
        yield* writeStatus(budget, setFailure(statusOf(budget), messageOf(error), context.now()));
      }
    },
  };
}

const subjectOf = ({ current, previous }: Change): ApiObject => (current ?? previous) as ApiObject;

/** Enqueues the first budget that selects a pod: getPdbForPod. */
function enqueueBudgetOf({ cache, emit: emitEvent }: ControllerContext, pod: ApiObject, queue: Queue): void {
  const { namespace = '', name, labels = {} } = pod.metadata;
  const budgets = cache.list<DisruptionBudget>(budgetKind, namespace).filter(({ spec }) => matches(spec?.selector, labels));
  const [first] = budgets;
  if (!first) return;
  if (budgets.length > 1) {
    const message = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${first.metadata.name}" arbitrarily.`;
    emitEvent?.({ do: 'event', object: pod, type: 'Warning', reason: 'MultiplePodDisruptionBudgets', message });
  }
  queue.add(metaNamespaceKey(first.metadata));
}

/** A missing selector matches nothing, an empty one everything. */
const matches = (selector: LabelSelector | undefined, labels: Readonly<Record<string, string>>): boolean =>
  selector !== undefined && selectorMatches(selector, labels);

const podsOf = (cache: Cache, { metadata, spec }: DisruptionBudget): Pod[] =>
  cache.list<Pod>('Pod', metadata.namespace ?? '').filter((pod) => matches(spec?.selector, pod.metadata.labels ?? {}));

/** Computes and writes the status of a budget: trySync. */
function* syncBudget({ cache, now }: ControllerContext, budget: DisruptionBudget, recheckAfter: AddAfter): Steps {
  const pods = podsOf(cache, budget);
  if (pods.length === 0) yield* emit(budget, 'Normal', 'NoPods', 'No matching pods found');
  const { expectedCount, desiredHealthy, hasUnmanagedPods } = yield* reportFailure(budget, computeExpectedPods(cache, budget, pods));
  if (hasUnmanagedPods) yield* emit(budget, 'Warning', 'UnmanagedPods', explainUnmanagedPods(budget));
  const time = now();
  const disrupted = collectDisruptedPods(budget, pods, time);
  yield* disrupted.events;
  const currentHealthy = countHealthyPods(pods, disrupted.pods, time);
  const allowance = currentHealthy - desiredHealthy;
  yield* updateStatus(budget, now, {
    ...(budget.status?.conditions && { conditions: budget.status.conditions }),
    currentHealthy,
    desiredHealthy,
    expectedPods: expectedCount,
    disruptionsAllowed: expectedCount <= 0 || allowance <= 0 ? 0 : allowance,
    ...(Object.keys(disrupted.pods).length > 0 && { disruptedPods: disrupted.pods }),
    ...(budget.metadata.generation && { observedGeneration: budget.metadata.generation }),
  });
  if (disrupted.recheckTime !== undefined) recheckAfter(metaNamespaceKey(budget.metadata), disrupted.recheckTime - time);
}

function* reportFailure<T>(budget: DisruptionBudget, steps: Steps<T>): Steps<T> {
  try {
    return yield* steps;
  } catch (error) {
    if (isFailure(error))
      yield* emit(
        budget,
        'Warning',
        'CalculateExpectedPodCountFailed',
        `Failed to calculate the number of expected pods: ${messageOf(error)}`,
      );
    throw error;
  }
}

const explainUnmanagedPods = ({ spec }: DisruptionBudget): string =>
  `Pods selected by this PodDisruptionBudget (selector: ${printSelector(spec?.selector)}) were found ` +
  'to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. ' +
  'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';

const comparedFields = ['currentHealthy', 'desiredHealthy', 'expectedPods', 'disruptionsAllowed', 'observedGeneration'] as const;

/** Writes a status unless the budget has it: updatePdbStatus. */
function* updateStatus(budget: DisruptionBudget, now: () => number, wanted: DisruptionBudgetStatus): Steps {
  const existing = statusOf(budget);
  const isUpToDate =
    comparedFields.every((field) => (existing[field] ?? 0) === (wanted[field] ?? 0)) &&
    printGoJson(existing.disruptedPods ?? {}) === printGoJson(wanted.disruptedPods ?? {}) &&
    isConditionUpToDate(budget);
  if (!isUpToDate) yield* writeStatus(budget, setAllowance(wanted, now()));
}

function* writeStatus(budget: DisruptionBudget, status: DisruptionBudgetStatus): Steps {
  yield { do: 'update', kind: budgetKind, subresource: 'status', object: { ...budget, status } };
}
