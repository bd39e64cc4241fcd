import { createCollection } from '../../packages/cli/src/input/collection.ts';
import { createScope } from '../../packages/cli/src/input/scope.ts';
import { createDiagnoser, type DiagnosedService } from '../../packages/cli/src/report/diagnoses.ts';
import { listObjects, type World } from './objects.ts';

/** Diagnoses every Service of a world, as `explain -A -f FILE` does. */
export function diagnoseWorld(world: World, version: string): DiagnosedService[] {
  const problems: Parameters<typeof createCollection>[1] = [];
  const collection = createCollection('default', problems);
  for (const [index, value] of listObjects(world).entries())
    collection.add('world', { number: index + 1, content: { value }, firstItemIndex: 0, lineOf: () => undefined });
  if (problems.length > 0) throw new Error(`invalid object: ${JSON.stringify(problems[0])}`);
  const inventory = collection.toInventory();
  const scope = createScope(inventory, { namespace: undefined, names: [], includesOrphans: false });
  return scope.services.map(createDiagnoser(scope, inventory, { version }, false));
}
