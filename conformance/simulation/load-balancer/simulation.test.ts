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
    ['uid-ignored', 38, /has a load balancer that no Service needs/],
    ['lost-retry', 1, /has the status|has 0 load balancers|has the finalizer but/],
    ['forgotten-nodes', 12, /has the nodes/],
    ['early-release', 1, /the load balancer may still exist/],
    ['unswept-orphans', 25, /has a load balancer that no Service needs/],
    ['unnoticed-loss', 21, /has 0 load balancers, expected 1/],
    ['no-doubt', 51, /has a load balancer for|has the nodes|no Service needs|has 0 load balancers/],
    ['early-sync', 1, /its caches of nodes are not complete/],
    ['no-lock', 1, /is still in flight/],
  ],
});
