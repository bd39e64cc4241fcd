/** The saved state of an API server: a folder with a journal of all writes, and snapshots. */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SavedState } from '../store/index.ts';
import { DataError, describeFileError } from './errors.ts';
import { createDataFolder, type DataFolder } from './folder.ts';
import { type DataJournal, type JournalOptions, openJournal } from './journal.ts';
import { lockFolder } from './lock.ts';
import { recover } from './recovery.ts';

export { DataError } from './errors.ts';
export { credentialsName } from './file-names.ts';
export { type DataFile, type DataFolder, replaceFile, writeAll } from './folder.ts';

export interface Data {
  readonly folder: DataFolder;
  /** The content when the folder was opened; undefined for a new folder. */
  readonly saved: SavedState | undefined;
  readonly journal: DataJournal;
  /** Closes the files and releases the lock. */
  close(): Promise<void>;
}

export type DataOptions = Pick<JournalOptions, 'minCompactionBytes' | 'onProblem'>;

/**
 * Creates or opens a folder, and locks it.
 * @throws DataError if it is in use, cannot be written, is damaged, has other files, or was written by a newer release
 */
export async function openData(path: string, options: DataOptions = {}): Promise<Data> {
  const folder = createDataFolder(resolve(path));
  const lock = await withFolderName(folder, async () => {
    await mkdir(folder.path, { recursive: true, mode: 0o700 });
    return lockFolder(folder.path);
  });
  try {
    const { saved, journal } = await openFolder(folder, options);
    return {
      folder,
      saved,
      journal,
      async close() {
        await journal.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Opens a folder without a lock. @throws DataError as `openData` */
export const openFolder = (folder: DataFolder, options: DataOptions = {}): Promise<Pick<Data, 'journal' | 'saved'>> =>
  withFolderName(folder, async () => {
    const { saved, position } = await recover(folder);
    return { saved, journal: await openJournal({ folder, position, ...options }) };
  });

/** Converts errors of node:fs to DataErrors with the name of the folder. */
export async function withFolderName<T>({ path }: Pick<DataFolder, 'path'>, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const isFileError = !(error instanceof DataError) && (error as NodeJS.ErrnoException).code !== undefined;
    throw isFileError ? new DataError(`${path} cannot be used: ${describeFileError(error)}`, { cause: error }) : error;
  }
}
