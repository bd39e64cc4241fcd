import { runCommand } from '../harness/command.ts';
import { bugs } from './bugs.ts';

/** Simulates the service load-balancer controller. */
await runCommand({
  shellCommand: 'npm run simulate:load-balancer',
  file: import.meta.filename,
  actionNoun: 'cloud calls',
  bugs,
  load: async () => (await import('./simulate.ts')).simulate,
});
