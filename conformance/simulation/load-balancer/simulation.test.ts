import { join } from 'node:path';
import { testSimulation } from '../harness/tests.ts';
import { simulate } from './simulate.ts';

testSimulation({
  simulate,
  command: 'npm run simulate:load-balancer',
  file: join(import.meta.dirname, 'run.ts'),
  seeds: 40,
  tries: 500,
  bugs: [
    ['late-finalizer', 1, /it has never held the finalizer/],
    ['uid-ignored', 38, /has a load balancer that no Service wants/],
    ['lost-retry', 1, /has the status|has 0 load balancers|finalizer for nothing/],
    ['forgotten-nodes', 12, /has the nodes/],
    ['early-release', 1, /for all that it knows the load balancer is still there/],
    ['unswept-orphans', 25, /has a load balancer that no Service wants/],
    ['unnoticed-loss', 21, /has 0 load balancers, expected 1/],
    ['no-doubt', 51, /has a load balancer for|has the nodes|no Service wants|has 0 load balancers/],
    ['early-sync', 1, /its caches of nodes are not complete/],
    ['no-lock', 1, /is still in flight/],
  ],
});
