import { bugs } from './bugs.ts';
import { runCommand } from './harness/command.ts';

/** Simulates the controllers of Endpoints and EndpointSlices. */
await runCommand({
  shellCommand: 'npm run simulate',
  file: import.meta.filename,
  actionNoun: 'writes',
  bugs: Object.fromEntries(Object.entries(bugs).map(([name, { sources = [] }]) => [name, sources])),
  async load(bug) {
    const { simulate } = await import('./simulate.ts');
    const injectBug = bug === undefined ? undefined : bugs[bug]?.injectBug;
    return (seed) => simulate(seed, injectBug ? { injectBug } : {});
  },
});
