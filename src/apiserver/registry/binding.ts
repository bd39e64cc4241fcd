import { type ApiObject, type ObjectKey, resources, type WriteOptions } from '../../port/index.ts';
import { bindPod } from '../resources/pods/binding.ts';
import { aggregateMessage } from '../resources/status.ts';
import { badRequest, conflict, unclassified } from '../store/index.ts';
import { type RegistryContext, strategyFor } from './context.ts';
import { decodeBody } from './decode.ts';
import { runSteps } from './dry-run.ts';
import { timestamp } from './time.ts';

/**
 * Gives a pod its node, once, and says in its conditions that it is scheduled. A uid or resourceVersion in the Binding has to be the pod's.
 *
 * Mirrors BindingREST (pkg/registry/core/pod/storage/storage.go, 1.36).
 * @returns the pod; over HTTP the answer is a Status
 */
export function bind(
  context: RegistryContext,
  key: ObjectKey,
  binding: ApiObject,
  { dryRun = false }: Pick<WriteOptions, 'dryRun'> = {},
): ApiObject {
  const { uid, resourceVersion, name } = binding.metadata;
  if (name !== key.name) throw badRequest('name in URL does not match name in Binding object');
  const strategy = strategyFor(context, resources.pods);
  const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
  const bound = (current: ApiObject): ApiObject => {
    const result = bindPod(decodeBody(strategy, current), binding, timestamp(context.clock));
    if (result.object) return strategy.encode(result.object as unknown as ApiObject);
    if (result.causes) throw unclassified(aggregateMessage(result.causes));
    throw conflict({ ...resources.pods, plural: 'pods/binding' }, key.name, result.conflict);
  };
  return runSteps(context.store, dryRun, () => context.store.update(resources.pods, key, bound, preconditions));
}
