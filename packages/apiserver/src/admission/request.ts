import type { ApiObject } from 'kube-endpoints/port';
import type { AdmissionRequest } from '../registry/index.ts';

/** The same request, about another object. */
export function withObject(request: AdmissionRequest, object: ApiObject): AdmissionRequest {
  const { operation, resource, subresource, key, old, dryRun, user, options, warn } = request;
  return {
    operation,
    resource,
    ...(subresource !== undefined && { subresource }),
    key,
    object,
    ...(old && { old }),
    dryRun,
    ...(user && { user }),
    options,
    ...(warn && { warn }),
  };
}
