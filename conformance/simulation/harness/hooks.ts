import { registerHooks } from 'node:module';

/** Node.js arguments that make the packages of this repository resolve to their sources, because replacements apply only to sources. */
export const sourceConditions: readonly string[] = ['--conditions=kube-endpoints-source'];

/** A source text and its replacement. */
export interface Replacement {
  /** The end of the path of the source file. */
  readonly file: string;
  readonly text: string;
  readonly newText: string;
}

/** Replaces sources as they are loaded. Returns a function that throws if a replacement was not applied. */
export function replaceSources(replacements: readonly Replacement[]): () => void {
  const pendingReplacements = new Set(replacements);
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const applicable = replacements.filter(({ file }) => url.endsWith(file));
      if (applicable.length === 0) return loaded;
      let source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source as Uint8Array);
      for (const replacement of applicable) {
        const fragments = source.split(replacement.text);
        if (fragments.length !== 2)
          throw new Error(
            `${replacement.file} must contain this text once, but contains it ${fragments.length - 1} times: ${replacement.text}`,
          );
        source = fragments.join(replacement.newText);
        pendingReplacements.delete(replacement);
      }
      return { ...loaded, source };
    },
  });
  return () => {
    for (const { file, text } of pendingReplacements)
      throw new Error(`${file} was not loaded, so that this text was not replaced: ${text}`);
  };
}
