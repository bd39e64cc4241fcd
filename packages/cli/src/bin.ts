#!/usr/bin/env node
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import manifest from '../package.json' with { type: 'json' };
import { main } from './index.ts';
import type { Files, Output } from './io.ts';

/** A reader that goes away early, as `head` does, is no error: what is still to be written is dropped. */
function survive(stream: NodeJS.WriteStream): Output {
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

/** The first signal asks for an end in good order, a second one ends the process at once. */
const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    const signals = ['SIGINT', 'SIGTERM'] as const;
    const stop = (): void => {
      for (const signal of signals) process.removeListener(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });

const onHangup = (callback: () => void): (() => void) => {
  process.on('SIGHUP', callback);
  return () => void process.off('SIGHUP', callback);
};

process.exitCode = await main(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: survive(process.stdout),
  stderr: survive(process.stderr),
  env: process.env,
  files,
  version: manifest.version,
  untilStopped,
  onHangup,
});
