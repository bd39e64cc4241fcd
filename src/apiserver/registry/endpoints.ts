import { repackSubsets } from '../../core/index.ts';
import type { ApiObject } from '../../port/index.ts';
import type { Checked, ResourceStrategy } from './strategy.ts';

type Subsets = Parameters<typeof repackSubsets>[0];

/**
 * Endpoints that are put in canonical order before they are stored, whoever writes them.
 *
 * Mirrors Canonicalize of pkg/registry/core/endpoint/strategy.go up to 1.19.2. Later servers, and so the one that is built in, store
 * Endpoints as they are sent.
 */
export function repackingStrategy(strategy: ResourceStrategy): ResourceStrategy {
  return {
    ...strategy,
    checkCreate: (object) => repacked(strategy.checkCreate(object)),
    checkUpdate: (object, old, subresource) => repacked(strategy.checkUpdate(object, old, subresource)),
  };
}

function repacked(checked: Checked): Checked {
  const subsets = checked.causes ? undefined : (checked.object['subsets'] as Subsets | undefined);
  if (checked.causes || !subsets) return checked;
  const { subsets: _, ...rest } = checked.object;
  const packed = repackSubsets(subsets);
  return { object: (packed.length > 0 ? { ...rest, subsets: packed } : rest) as ApiObject };
}
