#!/usr/bin/env node
// This file must load and run in old releases of Node.js, so that they get as far as the message.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(`error: kubectl-endpoints needs Node.js 22.12 or newer, and this is ${process.versions.node}\n`);
  process.exitCode = 2;
} else {
  const signals = handleSignals();
  process.getBuiltinModule('node:module').enableCompileCache();
  const { runProcess } = await import('./process.ts');
  process.exitCode = signals.toExitCode(await runProcess(signals.untilStopped));
}

/**
 * Handles SIGINT and SIGTERM from the program's first statement, because this module has no static import that Node would load first. A
 * signal ends the process at once, unless the command has called `untilStopped`: then the first signal resolves the promise of that call,
 * and a second signal ends the process.
 */
function handleSignals(): { untilStopped(): Promise<void>; toExitCode(commandExitCode: number): number } {
  const signalExitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
  const { promise, resolve } = Promise.withResolvers<void>();
  let isHandledByCommand = false;
  let receivedSignal: keyof typeof signalExitCodes | undefined;
  const onSignal = (signal: keyof typeof signalExitCodes): void => {
    if (!isHandledByCommand || receivedSignal !== undefined) process.exit(signalExitCodes[signal]);
    receivedSignal = signal;
    resolve();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    untilStopped() {
      isHandledByCommand = true;
      return promise;
    },
    toExitCode: (commandExitCode) =>
      receivedSignal !== undefined && commandExitCode !== 0 ? signalExitCodes[receivedSignal] : commandExitCode,
  };
}
