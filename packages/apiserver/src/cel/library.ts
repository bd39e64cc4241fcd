import { createRequire } from 'node:module';
import type * as Patterns from '@kube-endpoints/cel';
import type * as Cel from '@kube-endpoints/cel/internal';

// Loaded at first use: most servers need neither expressions nor patterns, and loading them takes a fifth of the time to start a server.
const onFirstUse = <Library>(load: () => Library): (() => Library) => {
  let library: Library | undefined;
  return () => {
    library ??= load();
    return library;
  };
};

export const celLibrary: () => typeof Cel = onFirstUse(() => createRequire(import.meta.url)('@kube-endpoints/cel/internal') as typeof Cel);
export const patternLibrary: () => typeof Patterns = onFirstUse(
  () => createRequire(import.meta.url)('@kube-endpoints/cel') as typeof Patterns,
);
