import { join } from 'node:path';
import { testSimulation } from './harness/tests.ts';
import { simulate } from './simulate.ts';

testSimulation({
  simulate,
  command: 'npm run simulate',
  file: join(import.meta.dirname, 'run.ts'),
  seeds: 32,
  tries: 60,
  bugs: [
    ['no-stale-tracker', 1, /it knows slices up to \d+ only, and wrote one at \d+ itself/],
    ['no-stale-endpoints', 1, /it has replaced version \d+ itself/],
    ['missed-tombstone', 22, /no such slice is known|left over|are not right/],
    ['uid-ignored', 9, /its owner is another Service|are not right/],
    ['early-write', 1, /its caches of .* are not complete/],
    ['lost-requeue', 1, /are not right/],
    ['lost-dirty', 2, /are not right|left over/],
    ['no-relist', 2, /has not heard of|is at work|are not right/],
    ['silent-410', 1, /not what is due|is due|is not there|no such slice is known|are not right/],
  ],
});
