import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import { hasReason, type Resource } from 'kube-endpoints/port';
import { type Registry, serverUser } from '../registry/index.ts';

/** Applies the status of a cluster-scoped object as the server itself, unless the object was deleted meanwhile. */
export async function applyStatus(
  registry: Registry,
  resource: Resource,
  name: string,
  status: object,
  fieldManager: string,
): Promise<void> {
  const configuration = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { name }, status };
  const options = { type: 'apply', force: true, subresource: 'status', fieldManager, user: serverUser } as const;
  try {
    await registry.patch(resource, { name }, configuration, options);
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
}
