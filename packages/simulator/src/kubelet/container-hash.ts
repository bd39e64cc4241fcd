import { fnv32a, utf8 } from '../go/hash.ts';
import { printGoJson } from '../go/json.ts';
import type { KubeletContainer } from './pod.ts';

/**
 * The hash of the fields whose change makes the kubelet replace a running container: name and image. Mirrors `HashContainer` (1.36,
 * pkg/kubelet/container/helpers.go): 32-bit FNV-1a of the dump of the bytes of a JSON object.
 */
export function hashContainer(container: KubeletContainer): number {
  const known = hashes.get(container);
  if (known !== undefined) return known;
  const { name, image } = container;
  const hash = fnv32a(utf8(`([]uint8)[${utf8(printGoJson({ image: image ?? '', name: name ?? '' })).join(' ')}]`));
  hashes.set(container, hash);
  return hash;
}

/** Each sync of a pod compares the hashes of its containers. */
const hashes = new WeakMap<KubeletContainer, number>();

/** Whether the runtime's container was created from other values of these fields. Mirrors `containerChanged`. */
export const isContainerChanged = (container: KubeletContainer, { hash }: { readonly hash: number }): boolean =>
  hash !== hashContainer(container);
