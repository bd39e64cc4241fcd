import { encodeHash, fnv32a, utf8 } from '../../go/hash.ts';
import { printPodTemplate } from './print.ts';

/**
 * The label pod-template-hash of a template: `ComputeHash` (1.36, pkg/controller/controller_utils.go).
 * @param collisionCount is undefined until the first collision, and then counts
 */
export function computeHash(template: object, collisionCount: number | undefined): string {
  const hash = fnv32a(utf8(printPodTemplate(template)));
  if (collisionCount === undefined) return encodeHash(hash);
  // Eight bytes, of which four contain the number.
  const bytes = Array.from({ length: 8 }, (_, i) => (i < 4 ? (collisionCount >>> (8 * i)) & 0xff : 0));
  return encodeHash(fnv32a(bytes, hash));
}
