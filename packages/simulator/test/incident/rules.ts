import { createOverrides, type OverrideRule, type Overrides } from '@kube-endpoints/overrides';
import type { Cluster, ClusterOptions } from '@kube-endpoints/simulator/internal';
import { ApiError, type ApiObject } from 'kube-endpoints/port';
import { listSlices } from './world.ts';

/** The webhook of override rules: applies the rules in force to every write of Endpoints and EndpointSlices. */
export interface RulesWebhook {
  readonly admit: NonNullable<ClusterOptions['admit']>;
  /** Replaces the rules, and causes writes of the objects that they concern. */
  setRules(rules: readonly OverrideRule[]): void;
}

/** @param findCluster the cluster whose writes are admitted; called when it exists */
export function createRulesWebhook(findCluster: () => Cluster, service: string): RulesWebhook {
  const [namespace = '', name = ''] = service.split('/');
  let overrides: Overrides | undefined;
  let touches = 0;
  /** Causes a sync of the controllers, as the resync scheduler of the webhook does. */
  const touchService = (): void => {
    const stored = findCluster().get<ApiObject>('Service', namespace, name) as ApiObject;
    touches += 1;
    const annotations = { 'kube-endpoints/overrides-due': String(touches) };
    findCluster().apply({ ...stored, metadata: { ...stored.metadata, annotations } });
  };
  return {
    admit({ operation, object, oldObject }) {
      if (!overrides || (object.kind !== 'Endpoints' && object.kind !== 'EndpointSlice')) return object;
      const { clock, get, list } = findCluster();
      const otherSlices = listSlices(findCluster(), name).filter(({ metadata }) => metadata.name !== object.metadata.name);
      const result = overrides.apply({
        operation,
        object: object as never,
        ...(oldObject && { oldObject: oldObject as never }),
        service: get('Service', namespace, name) as never,
        pods: list('Pod', namespace) as never,
        otherSlices: otherSlices as never,
        now: new Date(clock.now()),
      });
      if (result.refused) throw forbidden(result.refused.message);
      if (result.due !== undefined) clock.at(Date.parse(result.due) + 250, touchService);
      return result.object as unknown as ApiObject;
    },
    setRules(rules) {
      overrides = rules.length > 0 ? createOverrides({ rules }) : undefined;
      touchService();
      for (const object of [...listSlices(findCluster(), name), findCluster().get<ApiObject>('Endpoints', namespace, name)])
        if (object && rules.length > 0) renew(findCluster(), object);
    },
  };
}

const forbidden = (message: string): ApiError =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 403, reason: 'Forbidden', message });

/** Writes an object without a change, so that the rules are applied to it. A refusal leaves it as it is. */
function renew(cluster: Cluster, object: ApiObject): void {
  try {
    cluster.apply(object);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
