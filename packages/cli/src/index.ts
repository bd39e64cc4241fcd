/** The command line as a function: arguments and a world to read from and write to, an exit code back. */
export type { Compared } from './commands/compare.ts';
export type { ComparedSlices, SliceChange } from './commands/compare-slices.ts';
export type { ComparedAgreement } from './commands/diff-slices.ts';
export type { ExplainedSlices } from './commands/explain-slices.ts';
export { type DirectoryEntry, exitCodes, type Files, type IO, type Output } from './io.ts';
export type { CloudSettings } from './live/cloud.ts';
export { main } from './main.ts';
