import { serviceNameLabel } from 'kube-endpoints/internal';
import { ApiError, type ApiObject } from 'kube-endpoints/port';
import type { EndpointSliceInput, EndpointsInput, Pod, Service } from 'kube-endpoints/types';
import type { Cluster, ClusterOptions } from '../../cluster/cluster.ts';

/** Compiles endpoint override rules: `createOverrides` of @kube-endpoints/overrides. @throws an error with `problems` if they are invalid */
export type CreateOverrides = (rules: { readonly rules: readonly never[] }) => {
  apply(write: {
    readonly operation: 'CREATE' | 'UPDATE';
    readonly object: EndpointsInput | EndpointSliceInput;
    readonly oldObject?: EndpointsInput | EndpointSliceInput;
    readonly service: Service | undefined;
    readonly pods: readonly Pod[];
    readonly otherSlices: readonly EndpointSliceInput[];
    readonly now: Date;
  }): {
    readonly object: EndpointsInput | EndpointSliceInput;
    readonly refused?: { readonly message: string };
    readonly due?: string;
  };
};

/** The webhook of override rules: applies the rules in force to every write of Endpoints and EndpointSlices. */
export interface RulesWebhook {
  readonly admit: NonNullable<ClusterOptions['admit']>;
  /** Replaces the rules, and causes writes of the objects that they concern. */
  setRules(rules: readonly unknown[]): void;
}

/** @param findCluster the cluster whose writes are admitted; called when it exists */
export function createRulesWebhook(findCluster: () => Cluster, createOverrides: CreateOverrides): RulesWebhook {
  let overrides: ReturnType<CreateOverrides> | undefined;
  let touches = 0;
  /** Causes a sync of the controllers, as the resync scheduler of the webhook does. */
  const touch = (service: ApiObject): void => {
    touches += 1;
    const annotations = { 'kube-endpoints/overrides-due': String(touches) };
    findCluster().apply({ ...service, metadata: { ...service.metadata, annotations } });
  };
  const touchService = (namespace: string, name: string): void => {
    const service = findCluster().get<ApiObject>('Service', namespace, name);
    if (service) touch(service);
  };
  return {
    admit({ operation, object, oldObject }) {
      const name = serviceNameOf(object);
      if (!overrides || name === undefined) return object;
      const { namespace = '' } = object.metadata;
      const { clock, get, list } = findCluster();
      const otherSlices = list<ApiObject>('EndpointSlice', namespace).filter(
        (slice) => serviceNameOf(slice) === name && slice.metadata.name !== object.metadata.name,
      );
      const result = overrides.apply({
        operation,
        object: object as EndpointsInput,
        ...(oldObject && { oldObject: oldObject as EndpointsInput }),
        service: get('Service', namespace, name) as Service | undefined,
        pods: list('Pod', namespace) as readonly Pod[],
        otherSlices: otherSlices as unknown as readonly EndpointSliceInput[],
        now: new Date(clock.now()),
      });
      if (result.refused) throw forbidden(result.refused.message);
      if (result.due !== undefined) clock.at(Date.parse(result.due) + resyncDelayMs, () => touchService(namespace, name));
      return result.object as unknown as ApiObject;
    },
    setRules(rules) {
      const cluster = findCluster();
      overrides = rules.length > 0 ? createOverrides({ rules: rules as readonly never[] }) : undefined;
      for (const service of cluster.list<ApiObject>('Service')) touch(service);
      if (overrides)
        for (const object of [...cluster.list<ApiObject>('EndpointSlice'), ...cluster.list<ApiObject>('Endpoints')]) renew(cluster, object);
    },
  };
}

/** The resync scheduler of the webhook writes this long after a hold or a time window has ended. */
const resyncDelayMs = 250;

/** The name of the Service of Endpoints or a slice; undefined for other objects. */
function serviceNameOf({ kind, metadata }: ApiObject): string | undefined {
  if (kind === 'Endpoints') return metadata.name;
  return kind === 'EndpointSlice' ? metadata.labels?.[serviceNameLabel] : undefined;
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
