import { type LabelSelector, selectorMatches } from 'kube-endpoints/internal/apimachinery';
import type { ApiError, ApiObject, Resource } from 'kube-endpoints/port';
import { child, type Fields, has, list, number, text } from '../resources/field/read.ts';
import { failure } from '../store/errors.ts';
import { status500 } from '../store/index.ts';
import { setCondition } from './conditions.ts';
import { forbidden } from './errors.ts';

const disruptionBudgets: Resource = {
  group: 'policy',
  version: 'v1',
  plural: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
  namespaced: true,
};

/**
 * Charges the eviction of a pod to the PodDisruptionBudget that selects it. The status of the budget is that which a disruption controller
 * last wrote. Mirrors checkAndDecrement (pkg/registry/core/pod/storage/eviction.go, 1.36).
 * @throws ApiError TooManyRequests if the budget does not allow the eviction; 500 if several budgets select the pod
 */
export function chargeDisruptionBudget({ store, timestamp }: BudgetContext, pod: ApiObject, dryRun: boolean): void {
  const { namespace = '', name: podName = '', labels = {} } = pod.metadata;
  if (isDisrupted(pod)) return;
  const budgets = store.list(disruptionBudgets, { namespace }).items.filter((budget) => {
    const spec = child(budget, 'spec');
    return has(spec, 'selector') && selectorMatches(child(spec, 'selector') as LabelSelector, labels);
  });
  const [budget] = budgets;
  if (budgets.length > 1)
    throw status500('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.');
  if (!budget || isUnhealthyAndUnguarded(pod, budget)) return;
  const status = requireDisruption(budget);
  if (dryRun) return;
  const disruptionsAllowed = number(status, 'disruptionsAllowed') - 1;
  const charged = {
    ...status,
    disruptedPods: { ...child(status, 'disruptedPods'), [podName]: timestamp() },
    disruptionsAllowed,
    ...(disruptionsAllowed === 0 && { conditions: withoutAllowance(status, timestamp()) }),
  };
  store.update(
    disruptionBudgets,
    { namespace, name: budget.metadata.name ?? '' },
    (current) => ({ ...current, status: charged }) as ApiObject,
  );
}

/** The part of `RegistryContext` that is required. */
export interface BudgetContext {
  readonly store: {
    list(resource: Resource, options: { readonly namespace: string }): { readonly items: readonly ApiObject[] };
    update(
      resource: Resource,
      key: { readonly namespace: string; readonly name: string },
      change: (current: ApiObject) => ApiObject,
    ): ApiObject;
  };
  readonly timestamp: () => string;
}

/** Whether a pod is already disrupted, so that no budget guards it. */
const isDisrupted = (pod: ApiObject): boolean =>
  ['Succeeded', 'Failed', 'Pending'].includes(text(child(pod, 'status'), 'phase')) || pod.metadata.deletionTimestamp !== undefined;

function isUnhealthyAndUnguarded(pod: ApiObject, budget: ApiObject): boolean {
  const isReady = list(child(pod, 'status'), 'conditions').some(
    (condition) => condition['type'] === 'Ready' && condition['status'] === 'True',
  );
  if (isReady) return false;
  if (text(child(budget, 'spec'), 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const status = child(budget, 'status');
  const desired = number(status, 'desiredHealthy');
  return desired > 0 && number(status, 'currentHealthy') >= desired;
}

function requireDisruption(budget: ApiObject): Fields {
  const { name = '', generation = 0 } = budget.metadata;
  const status = child(budget, 'status');
  if (number(status, 'observedGeneration') < generation) {
    throw createViolationError(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  const allowed = number(status, 'disruptionsAllowed');
  const refuse = (message: string): never => {
    throw forbidden({ ...disruptionBudgets, plural: 'poddisruptionbudget' }, name, message);
  };
  if (allowed < 0) refuse('pdb disruptions allowed is negative');
  if (Object.keys(child(status, 'disruptedPods')).length > maxDisruptedPods) {
    refuse('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  }
  if (allowed === 0) throw createViolationError(explainRefusal(name, status));
  return status;
}

const maxDisruptedPods = 2000;

function explainRefusal(name: string, status: Fields): string {
  const [desired, current] = [number(status, 'desiredHealthy'), number(status, 'currentHealthy')];
  const condition = list(status, 'conditions').find((each) => each['type'] === disruptionAllowed);
  const [message, reason] =
    condition && text(condition, 'status') === 'False' ? [text(condition, 'message'), text(condition, 'reason')] : ['', ''];
  const head = `The disruption budget ${name} does not allow evicting pods currently`;
  if (message !== '' && reason === 'SyncFailed') return `${head} because it failed sync: ${message}`;
  if (current <= desired) return `The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`;
  return message === '' ? head : `${head} (${reason}): ${message}`;
}

const disruptionAllowed = 'DisruptionAllowed';

/** The conditions of a budget that allows no further disruption. Mirrors component-helpers/apps/poddisruptionbudget/helpers.go (1.36). */
function withoutAllowance(status: Fields, now: string): readonly Fields[] {
  const observedGeneration = number(status, 'observedGeneration');
  return setCondition(list(status, 'conditions'), {
    type: disruptionAllowed,
    status: 'False',
    ...(observedGeneration !== 0 && { observedGeneration }),
    lastTransitionTime: now,
    reason: 'InsufficientPods',
    message: '',
  });
}

/** @param retryAfterSeconds 0 if the client should not wait for a fixed time */
const createViolationError = (cause: string, retryAfterSeconds = 0): ApiError =>
  failure(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: 'DisruptionBudget', message: cause }],
    ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
  });
