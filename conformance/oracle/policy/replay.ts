import {
  type AdminNetworkPolicy,
  type ClusterNetworkPolicy,
  evaluateTraffic,
  type PolicyObjects,
  type TrafficVerdict,
} from 'kube-endpoints/policy';
import type { Engine, PolicyWorld } from './case.ts';
import type { Situation } from './deviations.ts';

/** The library's verdict on a probe, from the policies that an engine knows. */
export const replayProbe = ({ world, probe }: Situation, engine: Engine): TrafficVerdict =>
  evaluateTraffic(probe, objectsFor(world, engine));

/** Every second world has its admin policies in the form of v1alpha2, which no engine reads. */
function objectsFor(world: PolicyWorld, engine: Engine): PolicyObjects {
  const { namespaces, pods, nodes, networkPolicies, adminNetworkPolicies, baselineAdminNetworkPolicies } = world;
  const common = { namespaces, pods, nodes, networkPolicies };
  if (engine === 'matcher') return common;
  if (!hasClusterForm(world)) return { ...common, adminNetworkPolicies, baselineAdminNetworkPolicies };
  return {
    ...common,
    clusterNetworkPolicies: [
      ...adminNetworkPolicies.map((policy) => toClusterNetworkPolicy(policy, 'Admin')),
      ...baselineAdminNetworkPolicies.map((policy) => toClusterNetworkPolicy(policy, 'Baseline')),
    ],
  };
}

const hasClusterForm = ({ id }: PolicyWorld): boolean => Number(id.split('-').at(-1)) % 2 === 1;

type Spec = NonNullable<AdminNetworkPolicy['spec']>;
type AdminRule = NonNullable<Spec['ingress']>[number];
type ClusterRule = NonNullable<NonNullable<ClusterNetworkPolicy['spec']>['ingress']>[number];

/** The policy of v1alpha2 with the meaning of an AdminNetworkPolicy or BaselineAdminNetworkPolicy. */
export const toClusterNetworkPolicy = ({ metadata, spec }: AdminNetworkPolicy, tier: string): ClusterNetworkPolicy => ({
  metadata,
  spec: {
    tier,
    priority: spec?.priority ?? 0,
    subject: spec?.subject,
    ingress: spec?.ingress?.map(toClusterRule),
    egress: spec?.egress?.map(toClusterRule),
  },
});

const toClusterRule = ({ ports, action, ...rule }: AdminRule): ClusterRule => ({
  ...rule,
  action: action === 'Allow' ? 'Accept' : action,
  ...(ports && {
    protocols: ports.map(({ portNumber, portRange, namedPort }) => {
      if (namedPort) return { destinationNamedPort: namedPort };
      const protocol = ((portNumber ?? portRange)?.protocol ?? 'TCP').toLowerCase();
      const destinationPort = portNumber ? { number: portNumber.port } : { range: { start: portRange?.start, end: portRange?.end } };
      return { [protocol]: { destinationPort } };
    }),
  }),
});
