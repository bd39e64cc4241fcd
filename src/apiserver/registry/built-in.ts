import type { ServiceAllocators } from '../../allocators/index.ts';
import { type Description, descriptions } from '../resources/index.ts';
import { describedStrategy } from './described.ts';
import { repackingStrategy } from './endpoints.ts';
import { namespaceStrategy } from './namespace-strategy.ts';
import { allocatingStrategy } from './services.ts';
import type { ResourceStrategy } from './strategy.ts';

/**
 * The strategies of all resources that are described, with what some of them do beside.
 *
 * Events of events.k8s.io are not among them: they are those of the core group by another name, and stored once.
 */
export function builtInStrategies(allocators: ServiceAllocators): ResourceStrategy[] {
  const beside: Readonly<Record<string, (strategy: ResourceStrategy) => ResourceStrategy>> = {
    namespaces: namespaceStrategy,
    services: (strategy) => allocatingStrategy(strategy, allocators),
    endpoints: repackingStrategy,
  };
  const all: readonly Description[] = Object.values(descriptions);
  return all
    .filter(({ resource: { group } }) => group !== 'events.k8s.io')
    .map((description) => (beside[description.resource.plural] ?? asItIs)(describedStrategy(description)));
}

const asItIs = (strategy: ResourceStrategy): ResourceStrategy => strategy;
