import type { Statement } from './reach.ts';
import type { Setup } from './scenario.ts';
import type { World } from './world.ts';

/** Selects the statements, which describe the newest release, that hold in the release of the rules as well, for the mode. */
export function selectStatements(
  statements: readonly Statement[],
  world: World,
  setup: Pick<Setup, 'mode' | 'gates'>,
): readonly Statement[] {
  return statements
    .map((statement) => (setup.mode === 'ipvs' && statement.ipvs !== undefined ? { ...statement, expected: statement.ipvs } : statement))
    .filter((statement) => !exceptions.some((isException) => isException(statement, world, setup)));
}

type Exception = (statement: Statement, world: World, setup: Pick<Setup, 'mode' | 'gates'>) => boolean;

/** Whether a statement does not hold, by gate. */
const exceptions: readonly Exception[] = [
  ({ service, expected }, { pods }, { gates }) =>
    !gates.terminatingFallback &&
    (service === 'leaving' || (typeof expected !== 'string' && expected.some((pod) => pods[pod] === 'leaving'))),
  // The kubelet's rule, which drops marked packets, is not loaded.
  ({ expected }, _, { gates }) => !gates.dropsInFilter && expected === 'dropped',
  ({ via }, _, { gates }) => !gates.localhostOption && via === 'node port on loopback',
  ({ service, expected }, _, { mode, gates }) =>
    mode === 'nftables' && !gates.firewallChains && service === 'ranged' && expected === 'dropped',
  ({ service, expected }, _, { mode, gates }) =>
    mode === 'nftables' && !gates.clusterIPsCheck && service.endsWith('@first') && expected === 'refused',
];
