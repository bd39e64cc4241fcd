import type { BalancedNode, BalancedService } from '../../src/load-balancer/index.ts';

export const finalizer = 'service.kubernetes.io/load-balancer-cleanup';

/** A Service of type LoadBalancer with overrides for metadata and spec. */
export const makeService = (
  spec: BalancedService['spec'] = {},
  metadata: BalancedService['metadata'] = {},
  status?: BalancedService['status'],
): BalancedService => ({
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', ...metadata },
  spec: { type: 'LoadBalancer', ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 8080, nodePort: 30_080 }], ...spec },
  ...(status && { status }),
});

/** A ready node with a provider ID. */
export const makeNode = (name: string, { metadata, spec, status }: BalancedNode = {}): BalancedNode => ({
  metadata: { name, ...metadata },
  spec: { providerID: `cloud:///${name}`, ...spec },
  status: { conditions: [{ type: 'Ready', status: 'True' }], ...status },
});

export const makeExcludedNode = (name: string, value = ''): BalancedNode =>
  makeNode(name, { metadata: { labels: { 'node.kubernetes.io/exclude-from-external-load-balancers': value } } });

export const makeUnreadyNode = (name: string): BalancedNode =>
  makeNode(name, { status: { conditions: [{ type: 'Ready', status: 'False' }] } });
