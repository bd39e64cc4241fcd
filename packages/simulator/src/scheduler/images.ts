import type { ImageState } from './plugin.ts';
import type { Node } from './types.ts';

/** The images of all nodes by name: addNodeImageStates and removeNodeImageStates (1.36, pkg/scheduler/backend/cache/cache.go). */
export interface NodeImages {
  readonly byName: ReadonlyMap<string, ImageState>;
  add(node: Node): void;
  remove(node: Node): void;
}

export function createNodeImages(): NodeImages {
  const byName = new Map<string, { readonly sizeBytes: number; readonly nodes: Set<string> }>();
  return {
    byName,
    add({ metadata, status }) {
      for (const { names = [], sizeBytes = 0 } of status?.images ?? [])
        for (const name of names) {
          // The size of the first node counts.
          const state = byName.get(name) ?? { sizeBytes, nodes: new Set() };
          byName.set(name, state);
          state.nodes.add(metadata.name ?? '');
        }
    },
    remove({ metadata, status }) {
      for (const name of status?.images?.flatMap(({ names = [] }) => names) ?? []) {
        const state = byName.get(name);
        state?.nodes.delete(metadata.name ?? '');
        if (state?.nodes.size === 0) byName.delete(name);
      }
    },
  };
}
