import { type ServedResource, servedAs } from '../../registry/catalog.ts';
import { describedStrategy, type ResourceStrategy } from '../../registry/index.ts';
import type { Clock } from '../../store/index.ts';
import { isDeeper } from '../depth.ts';
import { markedAsGoing } from './deletion.ts';
import { definitionDescription } from './description.ts';
import { readSchemas } from './read-schemas.ts';

/** How deep definitions may be. Schemas that are less deep than this, and too deep all the same, are refused with a cause. */
const deepest = 1000;

/** The resource `customresourcedefinitions` itself. */
export function definitionStrategy(clock: Pick<Clock, 'now'>): ResourceStrategy {
  const described = describedStrategy(definitionDescription);
  return {
    ...described,
    decode(body) {
      if (isDeeper(body, deepest)) return { object: { metadata: {} }, unknown: [], problem: 'exceeded max depth' };
      const decoded = described.decode(body);
      const problem = decoded.problem ?? readSchemas(decoded.object as Record<string, unknown>);
      return problem === undefined ? decoded : { ...decoded, problem };
    },
    // A definition never goes at once: what it has to have while it waits is put there in the same turn of the event loop.
    gracePeriod: () => 1,
    decorate: (object) => markedAsGoing(object, clock.now()),
  };
}

export const servedDefinitions = (): ServedResource => servedAs(definitionDescription);
