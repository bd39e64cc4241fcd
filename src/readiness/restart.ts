import type { Container, ContainerRestartRule, Pod } from '../types/index.ts';
import type { ReadinessSettings } from './gates.ts';

/**
 * Whether a container that ended with that code is started again, where containers have policies of their own.
 * `ContainerShouldRestart`.
 */
export function isRestarted(container: Container, { spec }: Pod, exitCode: number, { initializedRemembered }: ReadinessSettings): boolean {
  if (container.restartPolicy !== undefined && container.restartPolicy !== null) {
    const action = ruleFor(container, exitCode)?.action;
    if (action === 'Restart' || (action === 'RestartAllContainers' && initializedRemembered)) return true;
    const verdict = byPolicy(container.restartPolicy, exitCode);
    if (verdict !== undefined) return verdict;
  }
  return byPolicy(spec?.restartPolicy ?? '', exitCode) ?? true;
}

/** Whether a rule of some container can restart all of them. `AllContainersCouldRestart`. */
export const canRestartAll = ({ spec }: Pod): boolean =>
  [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].some((container) =>
    container.restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers'),
  );

/** The first rule that a code falls under. `FindMatchingContainerRestartRule`. */
export const ruleFor = ({ restartPolicyRules }: Container, exitCode: number): ContainerRestartRule | undefined =>
  restartPolicyRules?.find(({ exitCodes }) => {
    const isListed = !!exitCodes?.values?.includes(exitCode);
    return exitCodes?.operator === 'In' ? isListed : exitCodes?.operator === 'NotIn' && !isListed;
  });

function byPolicy(policy: string, exitCode: number): boolean | undefined {
  if (policy === 'Always') return true;
  if (policy === 'OnFailure') return exitCode !== 0;
  return policy === 'Never' ? false : undefined;
}
