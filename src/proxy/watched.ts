import { headlessLabel } from '../spec/index.ts';
import type { ObjectMeta, Optional } from '../types/index.ts';

/** Says that another proxy than kube-proxy serves the Service. */
export const serviceProxyNameLabel = 'service.kubernetes.io/service-proxy-name';

/**
 * Whether kube-proxy looks at a Service or an EndpointSlice at all. It asks the API server for Services that no other proxy is named for
 * and for slices that are not of a headless Service; `createNodeView` takes all that it is given.
 *
 * Mirrors the label selectors of Run (1.36, cmd/kube-proxy/app/server.go).
 */
export function isWatched(
  object: { readonly kind?: Optional<string>; readonly metadata?: Optional<ObjectMeta> },
  kind: Optional<string> = object.kind,
): boolean {
  const labels = object.metadata?.labels ?? {};
  return !Object.hasOwn(labels, kind === 'EndpointSlice' ? headlessLabel : serviceProxyNameLabel);
}
