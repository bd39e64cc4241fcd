import { registerHooks } from 'node:module';

/** Arguments for Node so that the packages of this repository resolve to their sources: replacements apply to sources only. */
export const sourceConditions: readonly string[] = ['--conditions=kube-endpoints-source'];

/** A text of a source, and what stands in its place from now on. */
export interface Replacement {
  /** The end of the source's path. */
  readonly file: string;
  readonly text: string;
  readonly by: string;
}

/** Loads sources otherwise than they are written. Answers with what checks that all of them were. */
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
        if (parts.length !== 2) throw new Error(`${replacement.file} has ${parts.length - 1} times: ${replacement.text}`);
        source = parts.join(replacement.by);
        missing.delete(replacement);
      }
      return { ...loaded, source };
    },
  });
  return () => {
    for (const { file, text } of missing) throw new Error(`${file} was not loaded, to replace: ${text}`);
  };
}
