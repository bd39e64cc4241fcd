import { messageOf } from 'kube-endpoints/internal/apimachinery';

/** The saved state cannot be used. The message names the folder or file and says what to do. */
export class DataError extends Error {
  readonly code = 'ERR_DATA';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DataError';
  }
}

/** Describes an error of node:fs, with advice if the user can fix it. */
export function describeFileError(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return Object.hasOwn(descriptions, code) ? `${descriptions[code]} (${code})` : messageOf(error);
}

const descriptions: Readonly<Record<string, string>> = {
  EACCES: 'permission denied: give this user read and write access',
  EPERM: 'operation not permitted: give this user read and write access',
  EROFS: 'the file system is read-only: use a folder that can be written',
  EEXIST: 'this is not a folder: give a new or empty folder',
  ENOTDIR: 'this is not a folder: give a new or empty folder',
  ENOSPC: 'no space left on the device: free some space',
  EDQUOT: 'the disk quota is exceeded: free some space',
  EIO: 'the device reports an error: check the disk',
};
