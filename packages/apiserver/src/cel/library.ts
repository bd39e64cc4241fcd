import { createRequire } from 'node:module';
import type * as Patterns from '@kube-endpoints/cel';
import type * as Cel from '@kube-endpoints/cel/internal';

const require = createRequire(import.meta.url);

// Loaded at first use: most servers need neither expressions nor patterns, and loading them takes a fifth of the time to start a server.
export const loadCelLibrary = (): typeof Cel => require('@kube-endpoints/cel/internal') as typeof Cel;
export const loadPatternLibrary = (): typeof Patterns => require('@kube-endpoints/cel') as typeof Patterns;
export const loadParserLibrary = (): Cel.CelLibrary => require('@marcbachmann/cel-js') as Cel.CelLibrary;
