/**
 * Whether a name is among a percentage of all names: always the same ones, and those of a smaller percentage are among those of a greater.
 * FNV-1a of 32 bits, its bits mixed once more, for names that differ in their last letter only would lie close together.
 */
export function isInShare(name: string, percentage: number): boolean {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32 < percentage / 100;
}
