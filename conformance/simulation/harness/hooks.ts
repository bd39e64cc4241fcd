import { registerHooks } from 'node:module';

/** Arguments for Node so that the packages of this repository resolve to their sources: replacements apply to sources only. */
export const sourceConditions: readonly string[] = ['--conditions=kube-endpoints-source'];

/** A source text and its replacement. */
export interface Replacement {
  /** The end of the path of the source file. */
  readonly file: string;
  readonly text: string;
  readonly by: string;
}

/** Replaces sources as they are loaded. Returns a function that checks that every replacement was applied. */
export function replaceSources(replacements: readonly Replacement[]): () => void {
  const missing = new Set(replacements);
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      const due = replacements.filter(({ file }) => url.endsWith(file));
      if (due.length === 0) return loaded;
      let source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source as Uint8Array);
      for (const replacement of due) {
        const parts = source.split(replacement.text);
        if (parts.length !== 2)
          throw new Error(
            `${replacement.file} must contain this text once, but contains it ${parts.length - 1} times: ${replacement.text}`,
          );
        source = parts.join(replacement.by);
        missing.delete(replacement);
      }
      return { ...loaded, source };
    },
  });
  return () => {
    for (const { file, text } of missing) throw new Error(`${file} was not loaded, so that this text was not replaced: ${text}`);
  };
}
