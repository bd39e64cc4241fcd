import { type Draft, mayHaveNodePorts, needsClusterIP, needsHealthCheck, nodePortsOf, sameList } from './draft.ts';

/**
 * Clears what no longer applies after a change of type, where the update did not touch it: the server had filled it in. What the
 * update did touch stays, and is refused by validation. Mirrors dropTypeDependentFields (pkg/registry/core/service/strategy.go,
 * 1.36).
 */
export function dropTypeDependentFields(service: Draft, old: Draft): void {
  if (needsClusterIP(old) && !needsClusterIP(service)) dropClusterIPs(service, old);
  if (mayHaveNodePorts(old) && !mayHaveNodePorts(service) && addsNoNodePorts(service, old)) {
    for (const port of service.ports) port.nodePort = 0;
  }
  if (needsHealthCheck(old) && !needsHealthCheck(service) && service.healthCheckNodePort === old.healthCheckNodePort) {
    service.healthCheckNodePort = 0;
  }
  if (old.type === 'LoadBalancer' && service.type !== 'LoadBalancer') {
    if (service.allocateLoadBalancerNodePorts === old.allocateLoadBalancerNodePorts) service.allocateLoadBalancerNodePorts = undefined;
    if (service.loadBalancerClass === old.loadBalancerClass) service.loadBalancerClass = undefined;
  }
  if (isExternal(old) && !isExternal(service) && service.externalTrafficPolicy === old.externalTrafficPolicy) {
    service.externalTrafficPolicy = '';
  }
}

function dropClusterIPs(service: Draft, old: Draft): void {
  if (service.clusterIP === old.clusterIP && sameList(service.clusterIPs, old.clusterIPs)) {
    service.clusterIP = '';
    service.clusterIPs = [];
  }
  if (sameList(service.ipFamilies, old.ipFamilies)) service.ipFamilies = [];
  if (service.ipFamilyPolicy === old.ipFamilyPolicy) service.ipFamilyPolicy = '';
}

function addsNoNodePorts(service: Draft, old: Draft): boolean {
  const had = new Set(nodePortsOf(old));
  return nodePortsOf(service).every((port) => had.has(port));
}

/** Mirrors ExternallyAccessible (pkg/api/service/util.go). */
const isExternal = (service: Draft): boolean => mayHaveNodePorts(service) || (service.type === 'ClusterIP' && service.hasExternalIPs);
