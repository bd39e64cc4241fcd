/** Names a kind of objects the way the API does: by group, version and plural. The core group is empty. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  /** The plural in lower case, as it stands in paths: "endpointslices". */
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** The apiVersion of a resource's objects: "v1", "discovery.k8s.io/v1". */
export const apiVersionOf = ({ group, version }: Resource): string => (group === '' ? version : `${group}/${version}`);

const core = (plural: string, kind: string, namespaced = true): Resource => ({ group: '', version: 'v1', plural, kind, namespaced });

/** The resources that this package itself reads and writes. */
export const resources: Readonly<
  Record<'namespaces' | 'nodes' | 'services' | 'pods' | 'endpoints' | 'events' | 'endpointSlices' | 'leases' | 'serviceCIDRs', Resource>
> = {
  namespaces: core('namespaces', 'Namespace', false),
  nodes: core('nodes', 'Node', false),
  services: core('services', 'Service'),
  pods: core('pods', 'Pod'),
  endpoints: core('endpoints', 'Endpoints'),
  events: core('events', 'Event'),
  endpointSlices: { group: 'discovery.k8s.io', version: 'v1', plural: 'endpointslices', kind: 'EndpointSlice', namespaced: true },
  leases: { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', namespaced: true },
  serviceCIDRs: { group: 'networking.k8s.io', version: 'v1', plural: 'servicecidrs', kind: 'ServiceCIDR', namespaced: false },
};
