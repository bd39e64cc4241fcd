import type { ServiceAllocators } from 'kube-endpoints/allocators';
import { type Description, descriptions } from '../resources/index.ts';
import { describedStrategy } from './described.ts';
import { groupEventStrategy } from './events.ts';
import { namespaceStrategy } from './namespace-strategy.ts';
import { allocatingStrategy } from './services.ts';
import type { ResourceStrategy } from './strategy.ts';

/** The strategies of all resources that are described, with what some of them do beside. */
export function builtInStrategies(allocators: ServiceAllocators): ResourceStrategy[] {
  const beside: Readonly<Record<string, (strategy: ResourceStrategy) => ResourceStrategy>> = {
    'namespaces.': namespaceStrategy,
    'services.': (strategy) => allocatingStrategy(strategy, allocators),
    'events.events.k8s.io': (strategy) => groupEventStrategy(strategy, describedStrategy(descriptions.events)),
  };
  const all: readonly Description[] = Object.values(descriptions);
  return all.map((description) => {
    const { plural, group } = description.resource;
    return (beside[`${plural}.${group}`] ?? asItIs)(describedStrategy(description));
  });
}

const asItIs = (strategy: ResourceStrategy): ResourceStrategy => strategy;
