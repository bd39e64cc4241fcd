import { isDNS1123Subdomain } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type ApiObject } from 'kube-endpoints/port';
import { type Steps, SyncError } from '../controller/controller.ts';
import { emit, perform } from '../controller/effects.ts';
import type { OwnerReference, Pod, PodTemplate } from './types.ts';

/** Creation and deletion of Pods with their Events. Mirrors RealPodControl (1.36, pkg/controller/controller_utils.go). */

/** A Pod of a template, controlled by its owner: `GetPodFromTemplate`. */
export function createPodFromTemplate(template: PodTemplate, owner: ApiObject, controller: OwnerReference): Pod {
  const { labels = {}, annotations = {}, finalizers = [] } = template.metadata ?? {};
  const { name = '', namespace } = owner.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(namespace !== undefined && { namespace }),
      generateName: podNamePrefix(name),
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ...(finalizers.length > 0 && { finalizers }),
      ownerReferences: [{ ...controller }],
    },
    spec: template.spec,
  };
}

/** "web-", or "web" if the dash would make the names too long. */
function podNamePrefix(ownerName: string): string {
  const prefix = `${ownerName}-`;
  return isDNS1123Subdomain(`${prefix.slice(0, -2)}a`) ? prefix : ownerName;
}

/** Creates a Pod, and returns the stored one. @throws ApiError, or SyncError if the Pod has no labels */
export function* createPod(pod: Pod, owner: ApiObject): Steps<Pod> {
  if (!pod.metadata.labels) throw new SyncError('unable to create pods, no labels');
  let created: Pod;
  try {
    created = yield* perform<Pod>({ do: 'create', kind: 'Pod', object: pod });
  } catch (error) {
    if (error instanceof ApiError && !isNamespaceTerminating(error))
      yield* emit(owner, 'Warning', 'FailedCreate', `Error creating: ${error.message}`);
    throw error;
  }
  yield* emit(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name}`);
  return created;
}

/** Deletes a Pod. @throws ApiError if the Pod does not exist, SyncError if its deletion failed */
export function* deletePod({ metadata: { namespace = '', name = '' } }: Pod, owner: ApiObject): Steps {
  try {
    yield { do: 'delete', kind: 'Pod', namespace, name };
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason === 'NotFound') throw error;
    yield* emit(owner, 'Warning', 'FailedDelete', `Error deleting: ${error.message}`);
    throw new SyncError(`unable to delete pods: ${error.message}`);
  }
  yield* emit(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
}

/** Whether a creation failed because its namespace is being deleted. */
export const isNamespaceTerminating = (error: unknown): boolean =>
  error instanceof ApiError && error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
