import { specFinalizersOf } from './namespaces.ts';
import type { ResourceStrategy } from './strategy.ts';

/** Namespaces, which stay until nothing is left in them, whatever their own finalizers say. */
export const namespaceStrategy = (strategy: ResourceStrategy): ResourceStrategy => ({
  ...strategy,
  mayGo: (object) => specFinalizersOf(object).length === 0,
});
