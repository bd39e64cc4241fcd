import { messageOf, nameOf } from '../apimachinery/index.ts';
import type { Steps } from './effects.ts';
import { isElsewhere, normal, warning, withoutNodes } from './failures.ts';
import type { LoadBalancerSettings } from './gates.ts';
import type { BalancedNode, BalancedService } from './objects.ts';

/**
 * Gives the load balancer of a Service its nodes. True where that failed, though the load balancer is there.
 *
 * Mirrors lockedUpdateLoadBalancerHosts (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export function* updateHosts(
  service: BalancedService,
  nodes: readonly BalancedNode[],
  { nodesByService }: LoadBalancerSettings,
): Steps<boolean> {
  try {
    yield { do: 'update', service, nodes };
  } catch (error) {
    if (isElsewhere(error) || (yield* isGone(service))) return false;
    const names = nodes.map(nameOf);
    const told = nodesByService
      ? `${someOf(names)} [node names limited, total number of nodes: ${names.length}], error: ${messageOf(error)}`
      : `map[${names.map((name) => `${name}:{}`).join(' ')}]: ${messageOf(error)}`;
    yield warning(service, 'UpdateLoadBalancerFailed', `Error updating load balancer with new hosts ${told}`);
    return true;
  }
  yield nodes.length === 0 ? withoutNodes(service) : normal(service, 'UpdatedLoadBalancer', 'Updated load balancer with new hosts');
  return false;
}

/** Where even that cannot be told, it is taken for being there. */
function* isGone(service: BalancedService): Steps<boolean> {
  try {
    const answer: unknown = yield { do: 'get', service };
    return answer === undefined || answer === null;
  } catch {
    return false;
  }
}

const shownNames = 20;

const someOf = (names: readonly string[]): string => {
  const more = names.length > shownNames ? [`<${names.length - shownNames} more>`] : [];
  return `[${[...names.slice(0, shownNames), ...more].join(' ')}]`;
};
