#!/usr/bin/env node
const signals = handleSignals();
const { runProcess } = await import('./process.ts');
process.exitCode = signals.exitCode(await runProcess(signals.untilStopped));

/**
 * Handles SIGINT and SIGTERM from the program's first statement, because this module has no static import that Node would load first. A
 * signal ends the process at once, unless the command has called `untilStopped`: then the first signal resolves that promise and a second
 * ends the process.
 */
function handleSignals(): { untilStopped(): Promise<void>; exitCode(commandExitCode: number): number } {
  const codes = { SIGINT: 130, SIGTERM: 143 } as const;
  const { promise, resolve } = Promise.withResolvers<void>();
  let isHandledByCommand = false;
  let received: keyof typeof codes | undefined;
  const onSignal = (signal: keyof typeof codes): void => {
    if (!isHandledByCommand || received !== undefined) process.exit(codes[signal]);
    received = signal;
    resolve();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    untilStopped() {
      isHandledByCommand = true;
      return promise;
    },
    exitCode: (commandExitCode) => (received !== undefined && commandExitCode !== 0 ? codes[received] : commandExitCode),
  };
}
