import { YamlError } from './cursor.ts';
import type { YamlEvent } from './parse-node.ts';

/** The anchors of a document, and how much of it aliases have added. */
export interface Anchors {
  readonly byName: Map<string, Anchor>;
  /** Counts all nodes and their characters, aliases expanded. */
  nodeCount: number;
  textLength: number;
  /** The part of it that aliases have added. */
  aliasedCount: number;
  aliasedLength: number;
}

export interface Anchor {
  /** Whether its node has not ended. */
  isOpen: boolean;
  value: unknown;
  /** The size of the node; while it is open, the counts at its beginning. */
  nodeCount: number;
  textLength: number;
}

export const createAnchors = (): Anchors => ({ byName: new Map(), nodeCount: 0, textLength: 0, aliasedCount: 0, aliasedLength: 0 });

/** Counts a node, and opens its anchor if it has one. */
export function openAnchor(anchors: Anchors, { anchor: name, value }: YamlEvent): Anchor | undefined {
  const { nodeCount, textLength } = anchors;
  anchors.nodeCount += 1;
  anchors.textLength += value.length;
  if (name === undefined) return undefined;
  const anchor: Anchor = { isOpen: true, value: undefined, nodeCount, textLength };
  anchors.byName.set(name, anchor);
  return anchor;
}

export function closeAnchor({ nodeCount, textLength }: Anchors, anchor: Anchor, value: unknown): void {
  anchor.isOpen = false;
  anchor.value = value;
  anchor.nodeCount = nodeCount - anchor.nodeCount;
  anchor.textLength = textLength - anchor.textLength;
}

/** Returns the value of an alias. Mirrors decoder.alias and allowedAliasRatio (go.yaml.in/yaml v2.4.3, decode.go). @throws YamlError */
export function resolveAlias(anchors: Anchors, { value: name, start }: YamlEvent): unknown {
  const anchor = anchors.byName.get(name);
  if (!anchor) throw new YamlError('anchor', `unknown anchor '${name}' referenced`, start);
  if (anchor.isOpen) throw new YamlError('alias', `anchor '${name}' value contains itself`, start);
  anchors.nodeCount += 1 + anchor.nodeCount;
  anchors.textLength += anchor.textLength;
  anchors.aliasedCount += anchor.nodeCount;
  anchors.aliasedLength += anchor.textLength;
  if (isExcessive(anchors)) throw new YamlError('alias', 'document contains excessive aliasing', start);
  return anchor.value;
}

function isExcessive({ nodeCount, aliasedCount, aliasedLength }: Anchors): boolean {
  if (aliasedLength > maxAliasedLength) return true;
  // 0.99 up to 400,000 nodes, 0.1 from 4,000,000 nodes on, linear in between.
  const maxRatio = 0.99 - 0.89 * Math.min(1, Math.max(0, (nodeCount - 400_000) / 3_600_000));
  return aliasedCount > 100 && nodeCount > 1000 && aliasedCount / nodeCount > maxRatio;
}

/** In characters. Upstream has no such limit; aliases of a long text could expand to any length. */
const maxAliasedLength = 3 * 1024 * 1024;
