import { type Kind, predictBackends } from './prediction.ts';
import type { Statement } from './reach.ts';
import { topologyPods } from './topology.ts';
import type { World } from './world.ts';

/**
 * Adapts statements, which describe the newest release, to the mode and the release of the rules. Replaces the expected pods if the release
 * has other policies, and leaves out statements that do not hold for another reason.
 */
export function adaptStatements(statements: readonly Statement[], world: World, kind: Kind): readonly Statement[] {
  return statements
    .map((statement) => (kind.mode === 'ipvs' && statement.ipvs !== undefined ? { ...statement, expected: statement.ipvs } : statement))
    .filter((statement) => !exceptions.some((isException) => isException(statement, kind)))
    .map((statement) =>
      policyChanges.some((isAffected) => isAffected(statement, world, kind)) ? predict(statement, world, kind) : statement,
    )
    .map((statement) => (keepsPodAddress(statement, kind) ? { ...statement, source: 'own' } : statement));
}

/** From 1.21 to 1.23, kube-proxy does not masquerade traffic of pods to an external IP. */
const keepsPodAddress = ({ via, from, source }: Statement, { gates }: Kind): boolean =>
  gates.podsReachExternalIPs &&
  !gates.externalChains &&
  via === 'external IP' &&
  source === 'node' &&
  topologyPods.some(({ name }) => name === from);

/** Replaces the result with the predicted one. The source address is not predicted. */
function predict({ source: _, ...statement }: Statement, world: World, kind: Kind): Statement {
  const service = world.services.find(({ name }) => name === statement.service);
  return service === undefined
    ? statement
    : { ...statement, expected: predictBackends(service, statement.via, statement.from, world, kind) };
}

/** Whether a release sends the traffic of a statement elsewhere, by gate. */
const policyChanges: readonly ((statement: Statement, world: World, kind: Kind) => boolean)[] = [
  ({ service, expected }, { pods }, { gates }) =>
    !gates.terminatingFallback &&
    (service === 'leaving' || (typeof expected !== 'string' && expected.some((pod) => pods[pod] === 'leaving'))),
  ({ service }, _, { gates }) => !gates.separatePolicies && ['inner', 'far'].includes(service),
  ({ service }, _, { gates }) => !gates.zoneHints && ['near', 'own'].includes(service),
  ({ service, via }, _, { gates }) => !gates.externalIPsLocal && service === 'local' && via === 'external IP',
  ({ via, expected }, _, { gates }) => !gates.rejectsForwarded && via === 'external IP' && expected === 'refused',
];

/** Whether a statement does not hold, by gate. */
const exceptions: readonly ((statement: Statement, kind: Kind) => boolean)[] = [
  ({ via }, { gates }) => !gates.localhostOption && via === 'node port on loopback',
  ({ service, expected }, { mode, gates }) =>
    mode === 'nftables' && !gates.firewallChains && service === 'ranged' && expected === 'dropped',
  ({ service, expected }, { mode, gates }) =>
    mode === 'nftables' && !gates.clusterIPsCheck && service.endsWith('@first') && expected === 'refused',
];
