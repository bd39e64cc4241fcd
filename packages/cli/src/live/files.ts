import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

/**
 * Replaces files atomically, one by one, so that a reader sees the old or the new text. Synchronous, so that no signal handler runs in
 * between and leaves a temporary file or a part of the set. @throws the error of node:fs
 */
export function replaceFiles(files: readonly NewFile[]): void {
  const temporaryFiles = files.map((file) => ({ ...file, temporaryPath: temporaryPathFor(file.path) }));
  try {
    for (const { temporaryPath, text, mode } of temporaryFiles) writeFileSync(temporaryPath, text, { mode, flag: 'wx', flush: true });
    for (const { temporaryPath, path } of temporaryFiles) renameSync(temporaryPath, path);
  } catch (error) {
    for (const { temporaryPath } of temporaryFiles) rmSync(temporaryPath, { force: true });
    throw error;
  }
}

const temporaryPathFor = (path: string): string => join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
