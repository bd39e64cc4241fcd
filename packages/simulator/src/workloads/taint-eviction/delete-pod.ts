import { splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { Steps } from '../../controller/controller.ts';
import { emit, perform } from '../../controller/effects.ts';
import { catchFailure } from '../errors.ts';
import { patchPodCondition } from '../pod-condition.ts';
import type { Pod } from '../types.ts';

const attempts = 5;
const retryDelay = 10;

/** Deletes a pod, and tries again after failures: deletePodHandler (1.36, pkg/controller/tainteviction/taint_eviction.go). */
export function* deletePod(podKey: string, now: () => number): Steps {
  yield* emitEviction(podKey, `Marking for deletion Pod ${podKey}`);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (!(yield* catchFailure(markAndDelete(podKey, now)))) return;
    yield { do: 'wait', milliseconds: retryDelay };
  }
}

export function* emitEviction(podKey: string, message: string): Steps {
  const metadata = splitMetaNamespaceKey(podKey);
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata } as unknown as ApiObject;
  yield* emit(pod, 'Normal', 'TaintManagerEviction', message);
}

/** Sets the condition DisruptionTarget, and deletes the pod: addConditionAndDeletePod. */
function* markAndDelete(podKey: string, now: () => number): Steps {
  const target = { kind: 'Pod', ...splitMetaNamespaceKey(podKey) };
  const pod = yield* perform<Pod>({ do: 'get', ...target });
  const patch = patchPodCondition(pod, condition, now());
  if (patch) yield* perform({ do: 'patch', ...target, patch, type: 'strategic', subresource: 'status' });
  yield* perform({ do: 'delete', ...target });
}

const condition = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByTaintManager',
  message: 'Taint manager: deleting due to NoExecute taint',
};
