import { join } from 'node:path';
import { testSimulation } from './harness/tests.ts';
import { simulate } from './simulate.ts';

testSimulation({
  simulate,
  command: 'npm run simulate',
  file: join(import.meta.dirname, 'run.ts'),
  seeds: 32,
  tries: 60,
  // Each entry: the bug, the first seed that is tried with it, and a pattern for the problem that is expected.
  bugs: [
    ['no-stale-tracker', 1, /its cache of slices is at \d+, but it wrote one at \d+ itself/],
    ['no-stale-endpoints', 1, /it has already replaced version \d+ itself/],
    ['no-stale-mirror', 1, /its cache of slices is at \d+, but it wrote one at \d+ itself/],
    ['missed-selector-change', 84, /the mirrored slices of .* are not right/],
    ['missed-tombstone', 22, /the slice is not in its cache|left over|are not right|it must be kept/],
    ['uid-ignored', 9, /its owner is another Service|are not right/],
    ['early-write', 1, /its caches of .* are not complete/],
    ['lost-requeue', 1, /are not right/],
    ['lost-dirty', 2, /are not right|left over/],
    ['no-relist', 2, /has not received|is not idle|are not right/],
    [
      'silent-410',
      1,
      /is not planned|it must be kept|is not expected|no slice is expected|, expected|not the expected ones|does not exist|is not in its cache|are not right/,
    ],
  ],
});
