import { createReconciler } from 'kube-endpoints';
import { metaNamespaceKey, splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { Endpoints, Service } from 'kube-endpoints/types';
import { type Controller, type ControllerContext, type Steps, SyncError } from '../../controller/controller.ts';
import { perform, performIgnoring } from '../../controller/effects.ts';
import { createServicePods } from './services.ts';

/** Creates the controller of Endpoints. Mirrors pkg/controller/endpoint of 1.36; `kube-endpoints` plans its writes. */
export function createEndpointsController({ cache }: ControllerContext): Controller {
  const reconciler = createReconciler();
  const servicePods = createServicePods(cache);
  return {
    name: 'endpoints',
    kinds: ['Service', 'Pod', 'Endpoints'],
    handle(change, queue) {
      if (change.kind !== 'Endpoints') servicePods.handle(change, queue);
      else if (!change.current) queue.add(metaNamespaceKey((change.previous as ApiObject).metadata));
    },
    *sync(key): Steps {
      const { namespace, name } = splitMetaNamespaceKey(key);
      const service = cache.get('Service', namespace, name) as Service | undefined;
      const current = cache.get('Endpoints', namespace, name) as Endpoints | undefined;
      const { action, object, reasons } = reconciler.reconcile({ key, service, pods: servicePods.takeFeed(key), current });
      if (action === 'none') return;
      if (action === 'retry') throw new SyncError(reasons.map(({ message }) => message).join(' '));
      if (action === 'delete') yield* performIgnoring({ do: 'delete', kind: 'Endpoints', namespace, name }, 'NotFound');
      else reconciler.observe((yield* perform({ do: action, kind: 'Endpoints', object: object as unknown as ApiObject })) as never);
    },
  };
}
