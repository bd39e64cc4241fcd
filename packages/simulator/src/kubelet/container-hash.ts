import type { KubeletContainer } from './pod.ts';

/**
 * The hash of the fields whose change makes the kubelet replace a running container: name and image. Mirrors `HashContainer` (1.36,
 * pkg/kubelet/container/helpers.go): 32-bit FNV-1a of the dump of the bytes of a JSON object.
 */
export function hashContainer({ name, image }: KubeletContainer): number {
  const json = `{"image":${goJson(image ?? '')},"name":${goJson(name ?? '')}}`;
  return fnv32a(`([]uint8)[${new TextEncoder().encode(json).join(' ')}]`);
}

/** Whether the runtime's container was created from other values of these fields. Mirrors `containerChanged`. */
export const isContainerChanged = (container: KubeletContainer, { hash }: { readonly hash: number }): boolean =>
  hash !== hashContainer(container);

/** The 32-bit FNV-1a hash of an ASCII text. */
function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Prints a text as JSON like Go, which escapes some characters for use in HTML. */
const goJson = (text: string): string =>
  JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
