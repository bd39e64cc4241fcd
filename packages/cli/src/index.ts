/** The command line as a function: arguments and a world to read from and write to, an exit code back. */
export { type DirectoryEntry, exitCodes, type Files, type IO, type Output } from './base/io.ts';
export type { CloudSettings } from './live/cloud.ts';
export { main } from './main.ts';
