/** What of a Service an address is. */
export type AddressRole = 'cluster' | 'external' | 'loadBalancer' | 'nodePort';

/** In a sentence: "10.0.0.1 is ... Service shop/web". */
export const roleTexts: Readonly<Record<AddressRole, string>> = {
  cluster: 'the cluster IP',
  external: 'an external IP',
  loadBalancer: 'the load balancer address',
  nodePort: 'the address of a node, and the port a node port,',
};
