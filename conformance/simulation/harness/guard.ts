/** Makes Date.now, Math.random and timers throw during a run, because real time or real randomness would make a seed irreproducible. */
export async function guardRealTime<T>(run: () => Promise<T>): Promise<T> {
  const forbid = (name: string) => () => {
    throw new Error(`${name} must not be used within a simulation`);
  };
  const { setTimeout: timeout, setInterval: interval } = globalThis;
  const { now } = Date;
  const { random } = Math;
  Object.assign(globalThis, { setTimeout: forbid('setTimeout'), setInterval: forbid('setInterval') });
  Date.now = forbid('Date.now');
  Math.random = forbid('Math.random');
  try {
    return await run();
  } finally {
    Object.assign(globalThis, { setTimeout: timeout, setInterval: interval });
    Date.now = now;
    Math.random = random;
  }
}
