/** The command line as a function: takes arguments and an IO to read from and write to, and resolves to an exit code. */
export { type DirectoryEntry, exitCodes, type Files, type IO, type Output } from './base/io.ts';
export type { CloudSettings } from './live/cloud.ts';
export { main } from './main.ts';
