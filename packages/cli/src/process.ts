import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import manifest from '../package.json' with { type: 'json' };
import type { Files, IO, Output } from './base/io.ts';
import { main } from './main.ts';

/** Runs the command line of this process and resolves to its exit code. */
export const runProcess = (untilStopped: IO['untilStopped']): Promise<number> =>
  main(process.argv.slice(2), {
    stdin: process.stdin,
    stdout: createOutput(process.stdout),
    stderr: createOutput(process.stderr),
    env: process.env,
    files,
    version: manifest.version,
    untilStopped,
    onHangup,
  });

/** Wraps an output stream of the process. If the reader closes the pipe early, as `head` does, drops further output without an error. */
function createOutput(stream: NodeJS.WriteStream): Output {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    write: (text) => {
      if (stream.writable) stream.write(text);
    },
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.columns;
    },
    get writableNeedDrain() {
      return stream.writableNeedDrain;
    },
  };
}

const files: Files = {
  readFile: (path) => createReadStream(path),
  async readDir(path) {
    if (!(await stat(path)).isDirectory()) return undefined;
    const entries = await readdir(path, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
  },
};

const onHangup = (callback: () => void): (() => void) => {
  process.on('SIGHUP', callback);
  return () => void process.off('SIGHUP', callback);
};
