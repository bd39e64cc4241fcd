import { type Draft, Immer } from 'immer';
import { plainCopy } from '../apimachinery/copy.ts';

/**
 * A copy of `object` in which only what `recipe` sets is different. It shares nothing with the original, which is neither
 * written to nor frozen and may be an instance of a class, as `@kubernetes/client-node` hands them out.
 */
export function amend<T extends object>(object: T, recipe: (draft: Draft<T>) => void): T {
  const { produce } = new Immer({ autoFreeze: false });
  return produce(plainCopy(object), recipe);
}
