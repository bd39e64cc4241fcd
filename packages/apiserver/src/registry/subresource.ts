import type { ApiObject } from 'kube-endpoints/port';

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

export interface ServedSubresource {
  /** Name in paths, for example "status". */
  readonly name: string;
  readonly verbs: readonly Verb[];
  /** Type of request and response. Defaults to the type of the resource. */
  readonly type?: { readonly group: string; readonly version: string; readonly kind: string };
  /** Set if the subresource connects to a node or a container, of which this server has none. */
  readonly connects?: boolean;
  /** Set if the subresource is a writable view of the object. */
  readonly view?: ObjectView;
}

/** Another representation of an object, for example the Scale of a workload. */
export interface ObjectView {
  show(object: ApiObject): ApiObject;
  /** The starting point of a write if the object may have no view yet. Defaults to `show`. */
  base?(object: ApiObject): ApiObject;
  /** Applies a changed view to the object. @throws ApiError */
  apply(object: ApiObject, view: ApiObject): ApiObject;
}

const connect = (name: string, kind: string, verbs: readonly Verb[]): ServedSubresource => ({
  name,
  verbs,
  type: { group: '', version: 'v1', kind },
  connects: true,
});

const streamVerbs: readonly Verb[] = ['create', 'get'];
const proxyVerbs: readonly Verb[] = ['create', 'delete', 'get', 'patch', 'update'];

/** Subresources that connect to nodes and containers, by resource. */
export const connectSubresources: Readonly<Record<string, readonly ServedSubresource[]>> = {
  'nodes.': [connect('proxy', 'NodeProxyOptions', proxyVerbs)],
  'pods.': [
    connect('attach', 'PodAttachOptions', streamVerbs),
    connect('exec', 'PodExecOptions', streamVerbs),
    connect('log', 'Pod', ['get']),
    connect('portforward', 'PodPortForwardOptions', streamVerbs),
    connect('proxy', 'PodProxyOptions', proxyVerbs),
  ],
  'services.': [connect('proxy', 'ServiceProxyOptions', proxyVerbs)],
};
