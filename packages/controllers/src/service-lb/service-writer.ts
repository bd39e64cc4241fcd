import { statusAttempts } from 'kube-endpoints/internal';
import { splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { BalancedService, LoadBalancerStatus } from 'kube-endpoints/load-balancer';
import { ApiError, type ApiObject, resources } from 'kube-endpoints/port';
import { pause } from '../base/time.ts';
import { isCancellation } from './claims.ts';
import type { Setup } from './options.ts';

/** Writes finalizers and status of Services. */
export interface ServiceWriter {
  /** Patches the status. Fails if the Service was deleted and recreated under the same name. */
  patch(key: string, service: BalancedService, patch: object): Promise<ApiObject>;
  /** Replaces the status of this version of the Service; makes the attempts of `statusAttempts`. */
  updateStatus(key: string, service: BalancedService, status: LoadBalancerStatus): Promise<ApiObject>;
}

type Execute = (signal: AbortSignal) => Promise<ApiObject>;

/** @param run makes one attempt, while this replica owns the Service */
export const createServiceWriter = (
  { port, clock }: Pick<Setup, 'port' | 'clock'>,
  run: (key: string, service: BalancedService, execute: Execute) => Promise<ApiObject>,
): ServiceWriter => ({
  patch: (key, service, patch) =>
    run(key, service, (signal) =>
      port.patch(resources.services, splitMetaNamespaceKey(key), withPreconditions(service, patch), {
        type: 'strategic',
        subresource: 'status',
        signal,
      }),
    ),
  // Mirrors persistUpdate (1.14, pkg/controller/service/service_controller.go).
  async updateStatus(key, service, status) {
    const object = { apiVersion: 'v1', kind: 'Service', ...service, status: { ...service.status, loadBalancer: status } } as ApiObject;
    for (let remaining = statusAttempts.count - 1; ; remaining--) {
      try {
        return await run(key, service, (signal) => port.update(resources.services, object, { subresource: 'status', signal }));
      } catch (error) {
        if (remaining === 0 || isFinal(error)) throw error;
      }
      await pause(clock, statusAttempts.intervalMs);
    }
  },
});

/** Whether another attempt cannot succeed. */
const isFinal = (error: unknown): boolean =>
  isCancellation(error) || (error instanceof ApiError && (error.reason === 'NotFound' || error.reason === 'Conflict'));

/**
 * Sets the uid: the API server refuses to change it, so the patch fails if the Service was recreated. A patch that removes all finalizers
 * also sets resourceVersion, so that it cannot remove a finalizer that another client has added meanwhile.
 */
function withPreconditions({ metadata }: BalancedService, patch: object): object {
  const { metadata: metadataPatch } = patch as { readonly metadata?: { readonly finalizers?: unknown } };
  const { uid, resourceVersion } = metadata ?? {};
  const preconditions = { ...(uid && { uid }), ...(metadataPatch?.finalizers === null && resourceVersion && { resourceVersion }) };
  return { ...patch, metadata: { ...metadataPatch, ...preconditions } };
}
