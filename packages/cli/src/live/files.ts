import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A file to write. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

/**
 * Replaces files atomically, one by one: a reader sees the old or the new text. Synchronous, so that no signal handler runs in between and
 * leaves a temporary file or a part of the set. @throws the error of node:fs
 */
export function replaceFiles(files: readonly NewFile[]): void {
  const drafts = files.map((file) => ({ ...file, draft: draftFor(file.path) }));
  try {
    for (const { draft, text, mode } of drafts) writeFileSync(draft, text, { mode, flag: 'wx', flush: true });
    for (const { draft, path } of drafts) renameSync(draft, path);
  } catch (error) {
    for (const { draft } of drafts) rmSync(draft, { force: true });
    throw error;
  }
}

const draftFor = (path: string): string => join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
