#!/usr/bin/env node
// Nothing is imported before the handlers are installed, so that a signal during startup is handled, too.
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
let received: keyof typeof exitCodes | undefined;
let stop: (() => void) | undefined;
const onSignal = (signal: keyof typeof exitCodes): void => {
  if (stop === undefined || received !== undefined) process.exit(exitCodes[signal]);
  received = signal;
  stop();
};
process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);

const stopped = Promise.withResolvers<void>();
const { runProcess } = await import('./process.ts');
const exitCode = await runProcess(() => {
  stop = stopped.resolve;
  return stopped.promise;
});
process.exitCode = received !== undefined && exitCode !== 0 ? exitCodes[received] : exitCode;
